//! What definitions and questions came to, for as long as nothing changes that they can read: the state, and their arguments.
//!
//! It is no part of the position: two states are equal whatever was worked out in them, and a copy begins with nothing.

use std::hash::{Hash, Hasher};

use smallvec::SmallVec;

use super::state::Arguments;
use super::value::Value;
use crate::rules::table::program::{DefinitionId, QuestionId, RuleId};

#[derive(Debug, Default)]
pub(super) struct Memo {
    /// Counts the changes of the state.
    version: u64,
    definitions: Vec<Option<Kept>>,
    questions: Vec<Option<Kept>>,
    standing: Vec<Standing>,
}

/// The arguments of a definition or a question, and what it came to.
#[derive(Debug)]
struct Kept {
    version: u64,
    arguments: Arguments,
    value: Value,
}

/// A question with its arguments, and the rules that stand on it.
#[derive(Debug)]
struct Standing {
    version: u64,
    question: QuestionId,
    arguments: Arguments,
    rules: SmallVec<[RuleId; 2]>,
}

/// So many decisions are remembered at once.
const MOST_STANDING: usize = 8;

impl Memo {
    /// Something changed that an expression may read: whatever was worked out holds no longer.
    pub fn changed(&mut self) {
        self.version += 1;
    }

    pub fn definition(&self, definition: DefinitionId, arguments: &[Value]) -> Option<&Value> {
        self.find(&self.definitions, definition, arguments)
    }

    pub fn keep_definition(&mut self, definition: DefinitionId, arguments: Arguments, value: &Value) {
        keep(&mut self.definitions, definition, Kept { version: self.version, arguments, value: value.clone() });
    }

    pub fn question(&self, question: QuestionId, arguments: &[Value]) -> Option<&Value> {
        self.find(&self.questions, question, arguments)
    }

    pub fn keep_question(&mut self, question: QuestionId, arguments: Arguments, value: &Value) {
        keep(&mut self.questions, question, Kept { version: self.version, arguments, value: value.clone() });
    }

    fn find<'m>(&self, kept: &'m [Option<Kept>], at: usize, arguments: &[Value]) -> Option<&'m Value> {
        let kept = kept.get(at)?.as_ref()?;
        (kept.version == self.version && kept.arguments.as_slice() == arguments).then_some(&kept.value)
    }

    /// The rules that stood on a question whose arguments are the same wherever `reads` has a one.
    pub fn standing(&self, question: QuestionId, arguments: &[Value], reads: u64) -> Option<SmallVec<[RuleId; 2]>> {
        let read = |at: usize| reads >> at.min(63) & 1 == 1;
        let same = |known: &Standing| known.arguments.iter().zip(arguments).enumerate().all(|(at, (one, other))| !read(at) || one == other);
        let known = self.standing.iter().find(|known| known.version == self.version && known.question == question && same(known))?;
        Some(known.rules.clone())
    }

    pub fn keep_standing(&mut self, question: QuestionId, arguments: Arguments, rules: SmallVec<[RuleId; 2]>) {
        let version = self.version;
        self.standing.retain(|known| known.version == version);
        if self.standing.len() < MOST_STANDING {
            self.standing.push(Standing { version, question, arguments, rules });
        }
    }
}

fn keep(all: &mut Vec<Option<Kept>>, at: usize, kept: Kept) {
    if all.len() <= at {
        all.resize_with(at + 1, || None);
    }
    if let Some(place) = all.get_mut(at) {
        *place = Some(kept);
    }
}

impl Clone for Memo {
    fn clone(&self) -> Memo {
        Memo::default()
    }
}

impl PartialEq for Memo {
    fn eq(&self, _: &Memo) -> bool {
        true
    }
}

impl Eq for Memo {}

impl Hash for Memo {
    fn hash<H: Hasher>(&self, _: &mut H) {}
}
