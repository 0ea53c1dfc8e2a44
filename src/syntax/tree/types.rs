//! Types as they are written.

use super::*;

pub type Type = At<Box<TypeKind>>;

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum TypeKind {
    /// `number`, `seat`, `card`, `suit`
    Named(String),
    /// `maybe seat`
    Maybe(Type),
    /// `set of card`
    Set(Type),
    /// `list of seat`
    List(Type),
    /// `{ ordinary, jack }`
    Enum(Vec<Name>),
    /// `class of poker`
    ClassOf(Name),
    /// `ranking of set of card`
    RankingOf(Type),
    /// `entry of marks`
    EntryOf(Name),
    /// `heading of marks`
    HeadingOf(Name),
    /// `account`: where counters lie
    Account,
    /// `1 to limit`
    Range(Number, Expr),
}
