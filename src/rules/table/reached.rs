//! Whether `h reaches CLASS of V` asks for something that the class is compared by, under settings in force. Clause 7.12.

use super::fold::known;
use super::program::{Expr, HandNode, Literal, Node, Program};
use super::uses::each_expression;
use super::walk::everything;
use crate::diagnostic::{Code, Diagnostic};
use crate::ranking::FirstKey;
use crate::rules::kinds::KindId;

/// Tells every `of V` whose V is nothing that the first key of the class looks at.
pub(super) fn reached(program: &Program, faults: &mut Vec<Diagnostic>) {
    each_expression(program, &mut |expr| {
        everything(expr, &mut |part| {
            if let Node::Hand(HandNode::Reaches { family, class, key: Some((value, kind)), .. }) = &*part.node {
                faults.extend(unfit(program, *family, class, value, *kind));
            }
        });
    });
}

fn unfit(program: &Program, family: usize, class: &Expr, value: &Expr, kind: Option<KindId>) -> Option<Diagnostic> {
    let family = program.families.get(family)?;
    let Literal::Member(declared) = known(class)? else { return None };
    // A class that is not in force is reached by better ones only.
    let at = family.in_force(*declared)?;
    let comparer = family.comparer(0)?;
    let name = comparer.ranking().classes.get(at).map_or("", |class| class.name.as_str());
    let kind_name = |kind: KindId| program.kinds.get(kind).map_or("", |kind| kind.name.as_str());
    let message = match (comparer.first_key(at), kind) {
        (FirstKey::None, _) => format!("hands of `{name}` are all level, so there is nothing that one of them could reach"),
        (FirstKey::Number, None) => return None,
        (FirstKey::Number, Some(_)) => format!("hands of `{name}` are compared by a number first, and a value stands here"),
        (FirstKey::Value(attribute), kind) => match family.attributes.get(attribute) {
            Some(wanted) if kind == Some(*wanted) => return None,
            Some(wanted) => format!("hands of `{name}` are compared first by a value of `{}`, and something else stands here", kind_name(*wanted)),
            None => return None,
        },
    };
    Some(Diagnostic::new(Code::TypeMismatch, message, value.span).with_help("`of` asks for the first key of the class, under the settings in force"))
}
