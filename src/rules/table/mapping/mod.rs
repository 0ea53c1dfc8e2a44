//! What a rulebook makes of the table of an interface: what is shown, what is done, which positions can be reckoned. Clauses 10.6 to 10.10.

mod acts;
mod positions;
mod read;

use super::fold::Folding;
use super::program::{AccountId, DefinitionId, Expr, FactId, OrderTable, PlaceId, ProcedureId, QuestionId, RoleId, Slot, TallyId, Type};
use crate::rules::constant::Settings;
use crate::syntax::tree::{At, Implements, InterfaceItem};

/// One `implements`, as far as it speaks of a table.
#[derive(Clone, Debug, Default)]
pub struct TableMapping {
    pub interface: String,
    pub shows: Vec<Shown>,
    /// Acts and events.
    pub acts: Vec<MappedAct>,
    pub positions: Vec<Position>,
}

/// `shows tricks(p) = won(p);` Its parameters are the first slots.
#[derive(Clone, Debug)]
pub struct Shown {
    pub name: String,
    pub parameters: Vec<(String, Type)>,
    pub value: Expr,
    pub kind: Type,
    pub slots: Slot,
    /// The account, tally, fact or role that it is, if it is nothing else: then a case can give it.
    pub source: Option<String>,
}

/// `offer bid(d) = call(d);`
#[derive(Clone, Debug)]
pub struct MappedAct {
    pub name: String,
    pub parameters: Vec<(String, Type)>,
    /// The act, right or event of the rulebook.
    pub target: String,
    pub arguments: Vec<MappedArgument>,
    /// Who does it, worked out without parameters.
    pub by: Option<(Expr, Slot)>,
    /// The target is irregular wherever it stands: a record need not mark it.
    pub irregular: bool,
}

#[derive(Clone, Debug)]
pub enum MappedArgument {
    /// The parameter at this position.
    Parameter(usize),
    /// A value of this type, whatever the record says.
    Value(Expr, Type),
}

/// `question pays(won) { …; is E; }` Its parameters are facts that lie behind those of the program, in their order.
#[derive(Clone, Debug)]
pub struct Position {
    pub name: String,
    pub parameters: Vec<(String, Type)>,
    pub seats: Option<(Expr, Slot)>,
    pub lines: Vec<Line>,
    pub answer: Expr,
    /// A list: the slot that takes each member, what they are taken from, and which.
    pub each: Option<(Slot, Expr, Option<Expr>)>,
    /// Type of the whole answer.
    pub kind: Type,
    pub slots: Slot,
}

/// Something that is laid on the table.
#[derive(Clone, Debug)]
pub struct Line {
    pub what: Laid,
    pub value: Expr,
    pub slots: Slot,
}

#[derive(Clone, Debug)]
pub enum Laid {
    Role(RoleId),
    Fact(FactId, LaidCells),
    Account(AccountId, LaidCells),
    Tally(TallyId, LaidCells),
    Place(PlaceId, LaidCells),
    /// It is answered so instead of by its rules; its arguments are the first slots.
    Question(QuestionId),
    Definition(DefinitionId),
    /// A procedure that runs on what is laid so far.
    Run(ProcedureId),
}

/// Which cells of a family.
#[derive(Clone, Debug)]
pub enum LaidCells {
    /// The only one there is.
    One,
    /// All, by a list of values.
    ByList,
    /// For each index a value, or a variable in this slot that takes each in turn.
    At(Vec<LaidIndex>),
}

#[derive(Clone, Debug)]
pub enum LaidIndex {
    Each(Slot),
    Value(Expr),
}

/// The interfaces that there are, by name.
pub(in crate::rules) type Interfaces<'c> = std::collections::BTreeMap<&'c str, &'c [At<InterfaceItem>]>;

/// Compiles what each `implements` says of a table.
pub(in crate::rules) fn mappings(
    compiler: &mut super::compiler::Compiler<'_>,
    program: &super::program::Program,
    implements: &[&Implements],
    interfaces: &Interfaces<'_>,
) -> Vec<TableMapping> {
    let mut all = Vec::new();
    for one in implements {
        // An interface that is missing has been told of.
        if let Some(items) = interfaces.get(one.interface.it.as_str()) {
            all.push(read::Mapper { compiler, program, items }.read(one));
        }
    }
    all
}

/// Mappings under settings.
pub(in crate::rules) fn folded(mappings: &[TableMapping], settings: &Settings, orders: &[OrderTable]) -> Vec<TableMapping> {
    let folding = Folding { settings, orders };
    let mut all = mappings.to_vec();
    all.iter_mut().for_each(|mapping| mapping.fold(&folding));
    all
}

impl TableMapping {
    /// Works out what is constant under settings.
    fn fold(&mut self, folding: &Folding<'_>) {
        self.shows.iter_mut().for_each(|shown| folding.expression(&mut shown.value));
        for act in &mut self.acts {
            if let Some((by, _)) = &mut act.by {
                folding.expression(by);
            }
            for argument in &mut act.arguments {
                if let MappedArgument::Value(value, _) = argument {
                    folding.expression(value);
                }
            }
        }
        for position in &mut self.positions {
            if let Some((seats, _)) = &mut position.seats {
                folding.expression(seats);
            }
            position.lines.iter_mut().for_each(|line| folding.expression(&mut line.value));
            folding.expression(&mut position.answer);
            if let Some((_, of, filter)) = &mut position.each {
                folding.expression(of);
                filter.iter_mut().for_each(|filter| folding.expression(filter));
            }
        }
    }

    pub fn shown(&self, name: &str) -> Option<&Shown> {
        self.shows.iter().find(|shown| shown.name == name)
    }

    pub fn act(&self, name: &str) -> Option<&MappedAct> {
        self.acts.iter().find(|act| act.name == name)
    }

    pub fn position(&self, name: &str) -> Option<&Position> {
        self.positions.iter().find(|position| position.name == name)
    }
}
