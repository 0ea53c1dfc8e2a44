//! Constant expressions after names are resolved, and their values under settings. Clause 3.14.

use std::collections::BTreeSet;

use super::kinds::{HEADINGS, Kind, KindId, KindSort};
use crate::diagnostic::{Code, Diagnostic};
use crate::ranking::ValueId;
use crate::source::Span;
use crate::syntax::tree::BinaryWord;

/// Position of a parameter in the draft.
pub type ParameterId = usize;
/// Position of an option in the draft.
pub type OptionId = usize;

/// What a constant can be.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Value {
    Number(i64),
    Truth(bool),
    /// A member of a kind; a branch of an option.
    Member(ValueId),
    /// Members of one kind, in its order.
    Set(BTreeSet<ValueId>),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Type {
    Number,
    Truth,
    Member(KindId),
    Set(KindId),
    /// `{ }`, which is a set of anything.
    EmptySet,
}

impl Type {
    /// Whether a value of this type can stand where `wanted` is wanted.
    pub fn fits(self, wanted: Type) -> bool {
        self == wanted || matches!((self, wanted), (Type::EmptySet, Type::Set(_)) | (Type::Set(_), Type::EmptySet))
    }

    pub fn describe(self, kinds: &[Kind]) -> String {
        let name = |kind: KindId| match kinds.get(kind) {
            Some(kind) if kind.name.is_empty() => format!("{{ {} }}", kind.names().collect::<Vec<_>>().join(", ")),
            Some(kind) => format!("`{}`", kind.name),
            None => String::new(),
        };
        match self {
            Type::Number => "a number".to_owned(),
            Type::Truth => "`yes` or `no`".to_owned(),
            Type::Member(kind) => match kinds.get(kind) {
                Some(kind) if kind.sort == KindSort::Classes => kind.wanted(),
                Some(kind) if kind.name.starts_with(HEADINGS) => format!("a heading of `{}`", kind.name.trim_start_matches(HEADINGS)),
                Some(_) | None => format!("a value of {}", name(kind)),
            },
            Type::Set(kind) => format!("a set of {}", name(kind)),
            Type::EmptySet => "a set".to_owned(),
        }
    }
}

/// A constant with the place where it was written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Constant {
    pub node: Box<Node>,
    pub span: Span,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Node {
    Literal(Value, Type),
    Parameter(ParameterId),
    Option(OptionId),
    /// The parameter of a definition, which is worked out for each of its values.
    Local,
    Set(Vec<Constant>),
    Not(Constant),
    Minus(Constant),
    Binary(BinaryWord, Constant, Constant),
    /// `a < b <= c`
    Chain(Constant, Vec<(BinaryWord, Constant)>),
    If(Constant, Constant, Constant),
    Empty(Constant),
    Odd(Constant),
    Count(Constant),
    /// Rows of values (and whether higher ones are meant as well), their result, and what holds otherwise.
    Table(Constant, Vec<Row>, Option<Constant>),
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Row {
    pub keys: Vec<(Constant, bool)>,
    pub value: Constant,
}

impl Constant {
    pub fn new(node: Node, span: Span) -> Constant {
        Constant { node: Box::new(node), span }
    }

    /// Calls `see` for this node and every node below it.
    pub fn walk(&self, see: &mut impl FnMut(&Constant)) {
        see(self);
        match &*self.node {
            Node::Literal(..) | Node::Parameter(_) | Node::Option(_) | Node::Local => {}
            Node::Set(items) => items.iter().for_each(|item| item.walk(see)),
            Node::Not(of) | Node::Minus(of) | Node::Empty(of) | Node::Odd(of) | Node::Count(of) => of.walk(see),
            Node::Binary(_, left, right) => {
                left.walk(see);
                right.walk(see);
            }
            Node::Chain(first, rest) => {
                first.walk(see);
                rest.iter().for_each(|(_, item)| item.walk(see));
            }
            Node::If(when, then, otherwise) => {
                when.walk(see);
                then.walk(see);
                otherwise.walk(see);
            }
            Node::Table(of, rows, otherwise) => {
                of.walk(see);
                for row in rows {
                    row.keys.iter().for_each(|(key, _)| key.walk(see));
                    row.value.walk(see);
                }
                otherwise.iter().for_each(|value| value.walk(see));
            }
        }
    }
}

/// Values of all parameters and options.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct Settings {
    pub parameters: Vec<Value>,
    /// The branch of each option.
    pub options: Vec<ValueId>,
}

/// Where a definition's parameter has its value from.
type Local = Option<ValueId>;

/// The value of a constant.
///
/// # Errors
/// A number that does not fit, a division by zero, a table without a row: `out-of-range` at its place.
pub fn fold(constant: &Constant, settings: &Settings, local: Local) -> Result<Value, Box<Diagnostic>> {
    let again = |of: &Constant| fold(of, settings, local);
    match &*constant.node {
        Node::Literal(value, _) => Ok(value.clone()),
        Node::Parameter(id) => Ok(settings.parameters.get(*id).cloned().unwrap_or(Value::Truth(false))),
        Node::Option(id) => Ok(Value::Member(settings.options.get(*id).copied().unwrap_or(0))),
        Node::Local => Ok(Value::Member(local.unwrap_or(0))),
        Node::Set(items) => {
            let mut set = BTreeSet::new();
            for item in items {
                if let Value::Member(member) = again(item)? {
                    set.insert(member);
                }
            }
            Ok(Value::Set(set))
        }
        Node::Not(of) => Ok(Value::Truth(!truth(&again(of)?))),
        Node::Minus(of) => number(&again(of)?).checked_neg().map(Value::Number).ok_or_else(|| overflow(constant.span)),
        Node::Binary(BinaryWord::And, left, right) => Ok(Value::Truth(truth(&again(left)?) && truth(&again(right)?))),
        Node::Binary(BinaryWord::Or, left, right) => Ok(Value::Truth(truth(&again(left)?) || truth(&again(right)?))),
        Node::Binary(word, left, right) => binary(*word, &again(left)?, &again(right)?, constant.span),
        Node::Chain(first, rest) => {
            let mut left = again(first)?;
            for (word, right) in rest {
                let right = again(right)?;
                if !truth(&binary(*word, &left, &right, constant.span)?) {
                    return Ok(Value::Truth(false));
                }
                left = right;
            }
            Ok(Value::Truth(true))
        }
        Node::If(when, then, otherwise) => {
            if truth(&again(when)?) {
                again(then)
            } else {
                again(otherwise)
            }
        }
        Node::Empty(of) => Ok(Value::Truth(matches!(again(of)?, Value::Set(set) if set.is_empty()))),
        Node::Odd(of) => Ok(Value::Truth(number(&again(of)?).rem_euclid(2) == 1)),
        Node::Count(of) => match again(of)? {
            Value::Set(set) => Ok(Value::Number(i64::try_from(set.len()).unwrap_or(i64::MAX))),
            Value::Number(_) | Value::Truth(_) | Value::Member(_) => Ok(Value::Number(0)),
        },
        Node::Table(of, rows, otherwise) => {
            let of = again(of)?;
            for row in rows {
                for (key, or_up) in &row.keys {
                    let key = again(key)?;
                    if of == key || (*or_up && of > key) {
                        return again(&row.value);
                    }
                }
            }
            match otherwise {
                Some(value) => again(value),
                None => Err(Box::new(
                    Diagnostic::new(Code::OutOfRange, "a value meets no row of the table", constant.span).with_help("add a row, or `else: …;`"),
                )),
            }
        }
    }
}

/// Whether all conditions hold; a condition that has no value does not, and says why.
pub fn all_hold(conditions: &[Constant], settings: &Settings, faults: &mut Vec<Diagnostic>) -> bool {
    conditions.iter().all(|condition| match fold(condition, settings, None) {
        Ok(value) => truth(&value),
        Err(fault) => {
            faults.push(*fault);
            false
        }
    })
}

// INVARIANT: types were checked when the constant was resolved, so the two readers below always meet their own variant.
fn truth(value: &Value) -> bool {
    matches!(value, Value::Truth(true))
}

fn number(value: &Value) -> i64 {
    match value {
        Value::Number(number) => *number,
        Value::Truth(_) | Value::Member(_) | Value::Set(_) => 0,
    }
}

fn binary(word: BinaryWord, left: &Value, right: &Value, span: Span) -> Result<Value, Box<Diagnostic>> {
    let counted = |result: Option<i64>| result.map(Value::Number).ok_or_else(|| overflow(span));
    let (a, b) = (number(left), number(right));
    match word {
        BinaryWord::Or => Ok(Value::Truth(truth(left) || truth(right))),
        BinaryWord::And => Ok(Value::Truth(truth(left) && truth(right))),
        BinaryWord::Equal => Ok(Value::Truth(left == right)),
        BinaryWord::Unequal => Ok(Value::Truth(left != right)),
        BinaryWord::Less => Ok(Value::Truth(left < right)),
        BinaryWord::AtMost => Ok(Value::Truth(left <= right)),
        BinaryWord::Greater => Ok(Value::Truth(left > right)),
        BinaryWord::AtLeast => Ok(Value::Truth(left >= right)),
        BinaryWord::In => Ok(Value::Truth(holds(right, left))),
        BinaryWord::NotIn => Ok(Value::Truth(!holds(right, left))),
        BinaryWord::Add => counted(a.checked_add(b)),
        BinaryWord::Subtract => counted(a.checked_sub(b)),
        BinaryWord::Multiply => counted(a.checked_mul(b)),
        BinaryWord::Divide | BinaryWord::Mod if b == 0 => Err(Box::new(Diagnostic::new(Code::OutOfRange, "a division by zero", span))),
        // Division rounds down, so the remainder has the divisor's sign.
        BinaryWord::Divide => counted(a.checked_div(b).map(|q| if a % b != 0 && (a < 0) != (b < 0) { q - 1 } else { q })),
        BinaryWord::Mod => counted(a.checked_rem(b).map(|r| if r != 0 && (r < 0) != (b < 0) { r + b } else { r })),
        BinaryWord::Without => Ok(Value::Set(set(left).difference(&set(right)).copied().collect())),
        BinaryWord::Together => Ok(Value::Set(set(left).union(&set(right)).copied().collect())),
    }
}

fn set(value: &Value) -> BTreeSet<ValueId> {
    match value {
        Value::Set(set) => set.clone(),
        Value::Number(_) | Value::Truth(_) | Value::Member(_) => BTreeSet::new(),
    }
}

fn holds(set: &Value, member: &Value) -> bool {
    matches!((set, member), (Value::Set(set), Value::Member(member)) if set.contains(member))
}

fn overflow(span: Span) -> Box<Diagnostic> {
    Box::new(Diagnostic::new(Code::OutOfRange, "the number does not fit in 64 bits", span))
}

/// A value in the words of the language.
pub fn written(value: &Value, kind: Option<&Kind>) -> String {
    let name = |member: &ValueId| kind.map_or_else(|| member.to_string(), |kind| kind.name_of(*member).to_owned());
    match value {
        Value::Number(number) => number.to_string(),
        Value::Truth(true) => "yes".to_owned(),
        Value::Truth(false) => "no".to_owned(),
        Value::Member(member) => name(member),
        Value::Set(members) if members.is_empty() => "{ }".to_owned(),
        Value::Set(members) => format!("{{ {} }}", members.iter().map(name).collect::<Vec<_>>().join(", ")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn n(number: i64) -> Constant {
        Constant::new(Node::Literal(Value::Number(number), Type::Number), Span::default())
    }

    fn value(word: BinaryWord, a: i64, b: i64) -> Result<Value, Code> {
        fold(&Constant::new(Node::Binary(word, n(a), n(b)), Span::default()), &Settings::default(), None).map_err(|fault| fault.code)
    }

    #[test]
    fn division_rounds_down_and_never_by_zero() {
        assert_eq!(value(BinaryWord::Divide, 7, 2), Ok(Value::Number(3)));
        assert_eq!(value(BinaryWord::Divide, -7, 2), Ok(Value::Number(-4)));
        assert_eq!(value(BinaryWord::Mod, -7, 2), Ok(Value::Number(1)));
        assert_eq!(value(BinaryWord::Mod, 7, -2), Ok(Value::Number(-1)));
        assert_eq!(value(BinaryWord::Divide, 7, 0), Err(Code::OutOfRange));
    }

    #[test]
    fn overflow_is_an_error_and_not_a_wrong_figure() {
        assert_eq!(value(BinaryWord::Add, i64::MAX, 1), Err(Code::OutOfRange));
        assert_eq!(value(BinaryWord::Multiply, i64::MIN, -1), Err(Code::OutOfRange));
        assert_eq!(value(BinaryWord::Divide, i64::MIN, -1), Err(Code::OutOfRange));
    }

    #[test]
    fn a_chain_holds_where_each_pair_of_neighbours_does() {
        let chain = |a, b, c| Constant::new(Node::Chain(n(a), vec![(BinaryWord::Less, n(b)), (BinaryWord::AtMost, n(c))]), Span::default());
        assert_eq!(fold(&chain(1, 2, 2), &Settings::default(), None), Ok(Value::Truth(true)));
        assert_eq!(fold(&chain(1, 2, 1), &Settings::default(), None), Ok(Value::Truth(false)));
    }
}
