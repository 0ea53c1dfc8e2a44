//! Where the arguments of acts come from: what is possible. Clause 5.2.

use super::compiler::{Compiler, made};
use super::locals::Locals;
use super::program::{Domain, Literal, Node, Parameter, Type};
use crate::diagnostic::{Code, Diagnostic};
use crate::syntax::tree::{self, ActParameter, Argument, Expr, ExprKind, ParameterDomain, TypeKind};

impl Compiler<'_> {
    /// An argument of an act, with its slot: a name that is declared here, or a value that is fixed.
    pub fn act_parameter(&mut self, written: &ActParameter, locals: &mut Locals) -> Option<Parameter> {
        match written {
            ActParameter::Parameter(parameter) => self.parameter(parameter, locals),
            ActParameter::Fixed(value) => {
                let (value, kind) = self.expression(value, None, locals)?;
                let name = super::acts::argument_name(written);
                Some(Parameter { name, kind: kind.sure().clone(), slot: locals.fresh(), domain: Domain::Fixed(value) })
            }
        }
    }

    /// An argument of an act, an event or a right, with its slot. What is wrong with it does not hide its name.
    pub fn parameter(&mut self, written: &tree::Parameter, locals: &mut Locals) -> Option<Parameter> {
        let read = self.parameter_domain(&written.domain, locals);
        let kind = read.as_ref().map_or(Type::BROKEN, |(_, kind)| kind.clone());
        let slot = locals.declare(&written.name.it, kind.clone());
        read.map(|(domain, _)| Parameter { name: written.name.it.clone(), kind, slot, domain })
    }

    /// What is possible, and the type of it.
    pub fn parameter_domain(&mut self, written: &ParameterDomain, locals: &mut Locals) -> Option<(Domain, Type)> {
        match written {
            ParameterDomain::Type(written) => {
                let kind = self.type_of(written)?;
                if let TypeKind::Range(least, most) = &*written.it {
                    let least = made(Node::Literal(Literal::Number(least.it)), least.span);
                    return Some((Domain::Range(least, self.expected(most, &Type::Number, locals)?), kind));
                }
                Some((Domain::All, kind))
            }
            ParameterDomain::In(tree::Domain { from, to: Some(to) }) => {
                let (from, to) = (self.expected(from, &Type::Number, locals), self.expected(to, &Type::Number, locals));
                Some((Domain::Range(from?, to?), Type::Number))
            }
            ParameterDomain::In(tree::Domain { from, to: None }) => match subsets(from) {
                Some(arguments) => self.subsets(from, arguments, locals),
                None => {
                    let (of, kind) = self.collection(from, locals)?;
                    Some((Domain::In(of), kind))
                }
            },
        }
    }

    /// `subsets(S, a, b)`
    fn subsets(&mut self, whole: &Expr, arguments: &[Argument], locals: &mut Locals) -> Option<(Domain, Type)> {
        let [Argument::Value(of), Argument::Value(least), Argument::Value(most)] = arguments else {
            let fault = Diagnostic::new(Code::TypeMismatch, "`subsets` wants a set and two numbers", whole.span);
            self.faults.push(fault.with_help("`subsets(S, 1, 5)` is the sets of one to five members of S"));
            return None;
        };
        let of = self.collection(of, locals);
        let (least, most) = (self.expected(least, &Type::Number, locals), self.expected(most, &Type::Number, locals));
        let (of, kind) = of?;
        Some((Domain::Subsets(of, least?, most?), kind.set()))
    }
}

/// `subsets(…)`, which is no function: it stands only behind the `in` of an act.
fn subsets(of: &Expr) -> Option<&[Argument]> {
    if let ExprKind::Name { name, arguments: Some(arguments) } = &*of.it
        && name.it == "subsets"
    {
        return Some(arguments);
    }
    None
}
