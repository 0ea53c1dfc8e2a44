//! Accounts as people write them, and what people wrote as an account. Clauses 4.6 and 5.18.

use super::accounts::nobodys;
use super::value::Holder;
use super::words::{Words, letter, seat_of};
use crate::rules::table::program::{Account, Index, Program};

/// `stack A`, `pool nobody`, `kitty`. The slices of a loop have no names.
pub fn account_in_words(program: &Program, holder: Holder) -> String {
    let name = |account: Option<&Account>| account.map_or_else(String::new, |account| account.name.clone());
    let cell = match holder {
        Holder::Slice(_) => return "slice".to_owned(),
        Holder::Whole(account) => return name(program.accounts.get(account)),
        Holder::Cell(cell) => cell,
    };
    let size = |account: &Account| account.cells.count() + usize::from(account.joint);
    let of = program.accounts.iter().find(|account| (account.cells.first..account.cells.first + size(account)).contains(&cell));
    let Some(account) = of else { return String::new() };
    if account.joint && cell == nobodys(account) {
        return format!("{} nobody", account.name);
    }
    let mut offset = cell - account.cells.first;
    let mut words = Vec::new();
    for index in account.cells.indices.iter().rev() {
        let at = u8::try_from(offset % index.size().max(1)).unwrap_or(0);
        offset /= index.size().max(1);
        words.push(match index {
            Index::Seat => letter(at).to_string(),
            Index::Kind(kind, _) => {
                let named = program.kinds.get(*kind).and_then(|kind| kind.members.get(usize::from(at)));
                named.cloned().unwrap_or_default()
            }
        });
    }
    words.push(account.name.clone());
    words.reverse();
    words.join(" ")
}

impl Words<'_> {
    /// Every account that words can mean, each with the number of words that it takes.
    pub(super) fn read_account(&self, name: &str, behind: impl Iterator<Item = String>) -> Vec<(Holder, usize)> {
        let Some(id) = self.program.accounts.iter().position(|account| account.name == name) else { return Vec::new() };
        let Some(account) = self.program.accounts.get(id) else { return Vec::new() };
        let mut found = Vec::new();
        let mut offset = Some(0);
        let indices = &account.cells.indices;
        let behind: Vec<String> = behind.take(indices.len()).collect();
        for (index, word) in indices.iter().zip(&behind) {
            let at = match index {
                Index::Seat => word.chars().next().and_then(seat_of).filter(|seat| word.len() == 1 && letter(*seat).to_string() == *word),
                Index::Kind(kind, _) => self.read_member(*kind, word),
            };
            offset = offset.zip(at).map(|(offset, at)| offset * index.size() + usize::from(at));
        }
        if account.joint && behind.first().is_some_and(|word| word == "nobody") {
            found.push((Holder::Cell(nobodys(account)), 2));
        } else if let Some(offset) = offset.filter(|_| behind.len() == indices.len()) {
            found.push((Holder::Cell(account.cells.first + offset), 1 + indices.len()));
        }
        if account.joint {
            found.push((Holder::Whole(id), 1));
        }
        found
    }
}
