//! Interfaces and how a rulebook maps its names on one.

use super::*;

/// `interface draw-poker "…" { … }`
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Interface {
    pub name: Name,
    pub title: Option<Text>,
    pub items: Vec<At<InterfaceItem>>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum InterfaceItem {
    /// `param joker: none-in-pack, wild, bug "…";` `param eccentric: set of blaze, tiger;` `param limit: 1 to 100;`
    Param { name: Name, values: InterfaceValues, title: Option<Text> },
    /// `class straight, triplets;`
    Classes(Vec<Name>),
    /// `ranking hands of 5 card;`
    Compare { name: Name, least: Number, most: Option<Number>, piece: Name },
    /// `shows pool: number;`
    Shows { name: Name, parameters: Vec<Parameter>, kind: Type },
    /// `offer better(n: number);`
    Act { name: Name, parameters: Vec<Parameter> },
    /// `event exposed(c: card, p: seat);`
    Event { name: Name, parameters: Vec<Parameter> },
    /// `question pots(paid: list of number) -> number;`
    Position { name: Name, parameters: Vec<Parameter>, answer: Type },
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum InterfaceValues {
    OneOf(Vec<Name>),
    SetOf(Vec<Name>),
    Between(Number, Number),
}

/// `implements draw-poker { … }`
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Implements {
    pub interface: Name,
    pub mappings: Vec<At<Mapping>>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Mapping {
    /// `param joker = option joker { none-in-pack: out, wild: mistigris };`
    ParamOption { name: Name, option: Name, values: Option<Vec<(Name, Name)>> },
    /// `param eccentric = param admitted { skip-straight: skip };`
    ParamParam { name: Name, param: Name, values: Option<Vec<(Name, Name)>> },
    /// `param eccentric = { blaze: blaze = played else off, tiger: tiger = played else off };`: each member of a set chooses a branch, or its absence does
    ParamChoices { name: Name, choices: Vec<MemberChoice> },
    /// `param ace = only low;`: this book knows no other value
    ParamFixed { name: Name, value: Name },
    /// `class straight, triplets = threes;`
    Classes(Vec<(Name, Option<Name>)>),
    /// `ranking hands = poker;`
    Compare(Name, Option<Name>),
    /// `shows pool = held by pool;`
    Shows { name: Name, parameters: Vec<Name>, value: Expr },
    /// `offer raise(n) = better(n);`
    Act { name: Name, parameters: Vec<Name>, target: MapTarget },
    /// `event exposed(c, p) = turned-up(c, p) by dealer;`
    Event { name: Name, parameters: Vec<Name>, target: MapTarget },
    /// `question pots(paid, folded) { pool(p) = paid; is won(p) for p in seats; }`
    Position { name: Name, parameters: Vec<Name>, items: Vec<PositionItem>, answer: At<PositionAnswer> },
}

/// `turned-up(c, p) by dealer`: an act, an event or a right of the rulebook.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MapTarget {
    pub name: Name,
    pub arguments: Option<Vec<Argument>>,
    /// Who does it, if it is not he who stands in the record.
    pub by: Option<Expr>,
}

/// `blaze: blaze = played else off`
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MemberChoice {
    pub member: Name,
    pub option: Name,
    pub branch: Name,
    pub otherwise: Name,
}

/// `pool(p) = paid(p);` The name may be the word `seats`. Without a value, `divide();`, it is a procedure that runs on what is laid.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PositionItem {
    pub name: Name,
    pub arguments: Option<Vec<Argument>>,
    pub value: Option<Expr>,
}

/// `is won(p) for p in seats;`
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PositionAnswer {
    pub value: Expr,
    /// A list: one answer for each.
    pub each: Option<Binder>,
}
