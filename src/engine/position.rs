//! Positions: a table that nobody has played at, with something laid on it, and a question. Clause 10.10.

use super::apply::looking;
use super::blank;
use super::eval::Found;
use super::game::Game;
use super::machine::Machine;
use super::orders::NoOrders;
use super::state::{Script, State, Stop};
use super::trouble::{Fault, FaultKind, Trouble};
use super::value::{Value, seats_of};
use crate::rules::table::mapping::{Laid, LaidCells, LaidIndex, Line, Position};
use crate::rules::table::program::{Cells, Expr, Fact, Index, Life, ProcedureId, Program, SeatId, Slot};
use crate::rules::{Mark, Provenance};
use crate::source::Span;

/// Works out an expression where a state stands, in a frame of its own whose first slots hold these arguments.
///
/// # Errors
/// Trouble in the rulebook while it is worked out.
pub fn evaluate(game: &Game, state: &State, expr: &Expr, slots: Slot, arguments: &[Value]) -> Result<Value, Trouble> {
    looking(game, state, |eval| {
        let start = eval.locals.len();
        eval.locals.extend(arguments.iter().cloned());
        eval.locals.resize((start + usize::from(slots)).max(eval.locals.len()), Value::Unknown);
        eval.base = start;
        eval.value(expr)
    })
}

/// The members of a set or a list, in their order.
pub fn members_of(value: &Value) -> Vec<Value> {
    super::eval::members(value)
}

/// Values as a set.
pub fn set_of(members: Vec<Value>) -> Value {
    super::eval::set_from(members)
}

/// Whether a rule that was applied has left a choice, and waits for it.
pub fn left_open(state: &State) -> bool {
    state.stop == Stop::Offer && state.frames.last().is_some_and(|frame| matches!(frame.script, Script::Rule(..)))
}

/// Lays a position and answers its question. `given`: its parameters, in their order.
///
/// # Errors
/// Trouble in the rulebook, or in what is laid.
pub fn reckon(program: &Program, position: &Position, given: &[Value]) -> Result<Value, Trouble> {
    let game = Game::new(adapted(program, position));
    let mut state = blank(&game.program, 8);
    let first = state.facts.len().saturating_sub(given.len());
    give(&mut state, first, given);
    let seats = match (&position.seats, &program.seats) {
        (Some((expr, slots)), _) => {
            let Value::Number(number) = evaluate(&game, &state, expr, *slots, &[])? else { return unfit(expr) };
            u8::try_from(number).ok().filter(|seats| (1..=8).contains(seats)).map_or_else(|| unfit(expr), Ok)?
        }
        (None, Some((least, _, _))) => *least,
        (None, None) => 8,
    };
    state = blank(&game.program, seats);
    first_values(&game, &mut state)?;
    give(&mut state, first, given);
    for line in &position.lines {
        lay(&game, &mut state, line)?;
    }
    let Some((slot, of, filter)) = &position.each else { return evaluate(&game, &state, &position.answer, position.slots, &[]) };
    let mut answers = Vec::new();
    for member in members_of(&evaluate(&game, &state, of, position.slots, &[])?) {
        let mut locals = vec![Value::Unknown; usize::from(*slot)];
        locals.push(member);
        let wanted = match filter {
            Some(filter) => evaluate(&game, &state, filter, position.slots, &locals)? == Value::Truth(true),
            None => true,
        };
        if wanted {
            answers.push(evaluate(&game, &state, &position.answer, position.slots, &locals)?);
        }
    }
    Ok(Value::list(answers))
}

fn give(state: &mut State, first: usize, given: &[Value]) {
    for (at, value) in given.iter().enumerate() {
        if let Some(fact) = state.facts.get_mut(first + at) {
            *fact = value.clone();
        }
    }
}

fn unfit<T>(expr: &Expr) -> Found<T> {
    Err(Trouble::Fault(Box::new(Fault { what: FaultKind::Unfit, span: expr.span, within: "position".to_owned() })))
}

/// The program with the position's parameters as facts, and with what the position answers in place of the rules.
fn adapted(program: &Program, position: &Position) -> Program {
    let mut program = program.clone();
    for (name, kind) in &position.parameters {
        let first = program.facts.iter().map(|fact| fact.cells.count()).sum();
        program.facts.push(Fact {
            name: name.clone(),
            cells: Cells { first, indices: Vec::new() },
            kind: kind.clone(),
            first: None,
            life: Life::Evening,
            seen: None,
            from: Provenance { span: Span::default(), cites: Vec::new(), inferred: Vec::new(), mark: Mark::House, layer: String::new() },
        });
    }
    for line in &position.lines {
        match line.what {
            Laid::Question(id) => {
                if let Some(question) = program.questions.get_mut(id) {
                    question.rules.clear();
                    question.otherwise = Some(line.value.clone());
                }
            }
            Laid::Definition(id) => {
                if let Some(definition) = program.definitions.get_mut(id) {
                    definition.value = line.value.clone();
                    definition.slots = line.slots;
                }
            }
            Laid::Role(_) | Laid::Fact(..) | Laid::Account(..) | Laid::Tally(..) | Laid::Place(..) | Laid::Run(_) => {}
        }
    }
    program
}

/// Roles and facts get their first values.
fn first_values(game: &Game, state: &mut State) -> Found<()> {
    let mut orders = NoOrders;
    let mut trouble = None;
    Machine::run(game, state, &mut orders, None, |machine| {
        let mut first = || -> Found<()> {
            for (role, declared) in game.program.roles.iter().enumerate() {
                if let Some(first) = &declared.first {
                    let value = machine.value(0, first)?;
                    if let Some(held) = machine.state.roles.get_mut(role) {
                        *held = value;
                    }
                }
            }
            (0..game.program.facts.len()).try_for_each(|fact| machine.reset_fact(fact))
        };
        trouble = first().err();
        Ok(())
    });
    trouble.map_or(Ok(()), Err)
}

/// What one line lays: the cells, and what each gets.
fn lay(game: &Game, state: &mut State, line: &Line) -> Found<()> {
    let program = &game.program;
    let (cells, at) = match &line.what {
        Laid::Question(_) | Laid::Definition(_) => return Ok(()),
        Laid::Run(procedure) => return run(game, state, *procedure, &line.value),
        Laid::Role(role) => {
            let value = evaluate(game, state, &line.value, line.slots, &[])?;
            if let Some(held) = state.roles.get_mut(*role) {
                *held = value;
            }
            return Ok(());
        }
        Laid::Fact(id, at) => (program.facts.get(*id).map(|fact| fact.cells.clone()), at),
        // INVARIANT: cells of all accounts lie one behind the other, and a joint one has one more than seats: nobody's.
        Laid::Account(id, at) => (
            program
                .accounts
                .get(*id)
                .map(|account| if account.joint { Cells { first: account.cells.first, indices: vec![Index::Seat] } } else { account.cells.clone() }),
            at,
        ),
        Laid::Tally(id, at) => (program.tallies.get(*id).map(|tally| tally.cells.clone()), at),
        Laid::Place(id, at) => (program.places.get(*id).map(|place| place.cells.clone()), at),
    };
    let Some(cells) = cells else { return Ok(()) };
    let by_list = matches!(at, LaidCells::ByList);
    if by_list {
        let values = members_of(&evaluate(game, state, &line.value, line.slots, &[])?);
        for (offset, value) in values.into_iter().enumerate().take(cells.count()) {
            put(state, &line.what, cells.first + offset, &value);
        }
        return Ok(());
    }
    for (offset, locals) in chosen(game, state, &cells, at, line.slots)? {
        let value = evaluate(game, state, &line.value, line.slots, &locals)?;
        put(state, &line.what, cells.first + offset, &value);
    }
    Ok(())
}

/// Runs a procedure on what is laid: duties and pauses are done by default, and nobody can be asked to choose.
fn run(game: &Game, state: &mut State, procedure: ProcedureId, written: &Expr) -> Found<()> {
    let mut orders = NoOrders;
    Machine::run_until(game, state, &mut orders, None, true, |machine| machine.call(procedure, Default::default()));
    match &state.stop {
        Stop::Over => Ok(()),
        Stop::Stuck(fault) => Err(Trouble::Fault(fault.clone())),
        Stop::NeedsRuling(unruled) => Err(Trouble::Unruled(unruled.clone())),
        Stop::Offer | Stop::Pause => {
            Err(Trouble::Fault(Box::new(Fault { what: FaultKind::Waits, span: written.span, within: "position".to_owned() })))
        }
    }
}

/// The cells that are meant, each with the variables that it sets.
fn chosen(game: &Game, state: &State, cells: &Cells, at: &LaidCells, slots: Slot) -> Found<Vec<(usize, Vec<Value>)>> {
    let mut all: Vec<(usize, Vec<Value>)> = vec![(0, Vec::new())];
    let LaidCells::At(indices) = at else { return Ok(all) };
    for (index, wanted) in cells.indices.iter().zip(indices) {
        let values: Vec<(usize, Value)> = match wanted {
            LaidIndex::Each(_) => match index {
                Index::Seat => seats_of(state.seated).map(|seat| (usize::from(seat), Value::Seat(seat))).collect(),
                Index::Kind(_, count) => (0..=u8::MAX).take(*count).map(|member| (usize::from(member), Value::Member(member))).collect(),
            },
            LaidIndex::Value(expr) => {
                let value = evaluate(game, state, expr, slots, &[])?;
                if let Value::Seat(at) | Value::Member(at) = value {
                    vec![(usize::from(at), value)]
                } else if value == Value::None {
                    // Nobody's cell: there is nothing to lay.
                    Vec::new()
                } else {
                    return unfit(expr);
                }
            }
        };
        let is_variable = matches!(wanted, LaidIndex::Each(_));
        let size = index.size();
        let next = all.iter().flat_map(|(offset, locals)| {
            values.iter().map(move |(at, value)| {
                let mut locals = locals.clone();
                if is_variable {
                    locals.push(value.clone());
                }
                (offset * size + at, locals)
            })
        });
        all = next.collect();
    }
    Ok(all)
}

fn put(state: &mut State, what: &Laid, cell: usize, value: &Value) {
    let number = if let Value::Number(number) = value { *number } else { 0 };
    match what {
        Laid::Fact(..) => {
            if let Some(fact) = state.facts.get_mut(cell) {
                *fact = value.clone();
            }
        }
        Laid::Account(..) => {
            if let Some(account) = state.accounts.get_mut(cell) {
                *account = number;
            }
        }
        Laid::Tally(..) => {
            if let Some(tally) = state.tallies.get_mut(cell) {
                *tally = number;
            }
        }
        Laid::Place(..) => {
            let pieces = if let Value::Piece(_) = value { vec![value.clone()] } else { members_of(value) };
            for (piece, seat) in pieces.into_iter().zip((0..state.seated.count_ones()).cycle()) {
                if let Value::Piece(piece) = piece {
                    state.piles.take(piece);
                    state.piles.put(piece, cell, false, SeatId::try_from(seat).ok());
                }
            }
        }
        Laid::Role(_) | Laid::Question(_) | Laid::Definition(_) | Laid::Run(_) => {}
    }
}
