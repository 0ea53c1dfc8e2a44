//! A whole position, for `hoyle play --at N`.

use std::io::{self, Write};

use super::telling::Teller;
use crate::engine::{State, UNSEEN, Value, seats_of, view};
use crate::rules::table::program::Index;

impl Teller<'_> {
    /// Places as everybody at the table sees them, roles, facts, who may do what.
    pub fn position(&self, state: &State, out: &mut dyn Write) -> io::Result<()> {
        let program = &self.game.program;
        let open: Vec<&str> = state.open().filter_map(|id| program.procedures.get(id)).map(|procedure| procedure.name.as_str()).collect();
        writeln!(out, "in: {}", open.join(", "))?;
        let views: Vec<_> = seats_of(state.seated()).filter_map(|seat| view(self.game, state, seat).ok()).collect();
        for place in &program.places {
            for cell in place.cells.first..place.cells.first + place.cells.count() {
                let pieces = state.order(cell);
                if pieces.is_empty() {
                    continue;
                }
                let all_see = |at: usize| views.iter().all(|view| view.places.get(cell).and_then(|place| place.get(at)).is_some_and(Option::is_some));
                let faces: Vec<&str> = (pieces.iter().enumerate())
                    .map(|(at, piece)| if *piece < UNSEEN && all_see(at) { self.words.piece(*piece) } else { "?" })
                    .collect();
                // What nobody sees is told by its number alone.
                let faces = if faces.iter().all(|face| *face == "?") { pieces.len().to_string() } else { faces.join(" ") };
                writeln!(out, "{}: {faces}", self.place(cell))?;
            }
        }
        for (at, role) in program.roles.iter().enumerate() {
            writeln!(out, "{}: {}", role.name, self.words.value(state.role(at), &role.kind))?;
        }
        for fact in &program.facts {
            for cell in fact.cells.first..fact.cells.first + fact.cells.count() {
                let at = cell - fact.cells.first;
                let value = state.fact(cell);
                // A seat that nobody sits at has nothing.
                let seats = matches!(fact.cells.indices.as_slice(), [Index::Seat]);
                let seen = views.iter().all(|view| view.facts.get(cell).is_some_and(Option::is_some));
                if (seats && at < 8 && state.seated() >> at & 1 == 0) || *value == Value::Unknown || !seen {
                    continue;
                }
                writeln!(out, "{}: {}", self.words.cell(&fact.name, &fact.cells.indices, at), self.words.value(value, &fact.kind))?;
            }
        }
        self.standing(state, out)
    }
}
