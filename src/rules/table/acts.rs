//! What acts take: it is written in the alternatives that offer them, and found when somebody asks.

use super::compiler::Compiler;
use super::locals::Locals;
use super::program::{NameId, Type};
use super::signatures::{Parameters, Takes};
use super::sites::{Bound, Site};
use crate::diagnostic::{Code, Diagnostic};
use crate::syntax::tree::{ActParameter, Domain, Expr, ExprKind};

/// Arguments of acts that were asked for; those being found have no types yet.
pub(super) type FoundActs = std::collections::BTreeMap<NameId, Parameters>;

impl<'d> Compiler<'d> {
    /// Names and types of the arguments of whatever stands in the log under a name.
    pub fn arguments_of(&mut self, name: NameId) -> Parameters {
        if let Some(found) = self.acts.get(&name) {
            return found.clone();
        }
        let site = match self.signatures.names.get(name).map(|known| &known.takes) {
            Some(Takes::Declared(parameters)) => return parameters.clone(),
            Some(Takes::Offered(sites)) => sites.first().cloned(),
            None => None,
        };
        let Some(site) = site else { return Vec::new() };
        // Meanwhile whoever asks again finds arguments of any type.
        self.acts.insert(name, site.parameters.iter().map(|parameter| (argument_name(parameter), Type::BROKEN)).collect());
        let found = self.guess(&site);
        self.acts.insert(name, found.clone());
        found
    }

    /// Types as the alternative gives them. What is wrong there is told where the alternative is compiled.
    fn guess(&mut self, site: &Site<'d>) -> Parameters {
        let faults = self.faults.len();
        let before = std::mem::replace(&mut self.guessing, true);
        let mut locals = Locals::new();
        for binding in &site.scope {
            let kind = match &binding.bound {
                Bound::Typed(kind) => kind.clone(),
                Bound::Let(value) => self.guess_type(value, &mut locals),
                Bound::Walk(Domain { to: Some(_), .. }) => Type::Number,
                Bound::Walk(Domain { from, to: None }) => self.guess_type(from, &mut locals).member().cloned().unwrap_or(Type::BROKEN),
                Bound::Parameter(parameter) => self.parameter_domain(&parameter.domain, &mut locals).map_or(Type::BROKEN, |(_, kind)| kind),
            };
            locals.declare(binding.name, kind);
        }
        let mut found = Vec::new();
        for parameter in site.parameters {
            let kind = match parameter {
                ActParameter::Fixed(value) => self.guess_type(value, &mut locals),
                ActParameter::Parameter(parameter) => {
                    let kind = self.parameter_domain(&parameter.domain, &mut locals).map_or(Type::BROKEN, |(_, kind)| kind);
                    locals.declare(&parameter.name.it, kind.clone());
                    kind
                }
            };
            found.push((argument_name(parameter), kind.sure().clone()));
        }
        self.guessing = before;
        self.faults.truncate(faults);
        found
    }

    fn guess_type(&mut self, value: &Expr, locals: &mut Locals) -> Type {
        self.expression(value, None, locals).map_or(Type::BROKEN, |(_, kind)| kind)
    }

    /// The same act takes the same wherever it is offered.
    pub fn check_acts(&mut self) {
        for name in 0..self.signatures.names.len() {
            let Some(Takes::Offered(sites)) = self.signatures.names.get(name).map(|known| &known.takes) else { continue };
            let sites = sites.clone();
            let first = self.arguments_of(name);
            for site in sites.iter().skip(1) {
                let other = self.guess(site);
                self.same_act(&first, &other, site, sites.first());
            }
        }
    }

    fn same_act(&mut self, first: &Parameters, other: &Parameters, site: &Site<'d>, declared: Option<&Site<'d>>) {
        let differs = first.iter().zip(other).find(|((_, one), (_, other))| !one.fits(other) || !other.fits(one));
        let message = if first.len() != other.len() {
            format!("the act `{}` has {} here, and elsewhere {}", site.act.it, arguments(other.len()), arguments(first.len()))
        } else if let Some(((name, one), (_, other))) = differs {
            format!("`{name}` of the act `{}` is {} here, and elsewhere {}", site.act.it, self.describe(other), self.describe(one))
        } else {
            return;
        };
        let fault = Diagnostic::new(Code::TypeMismatch, message, site.act.span)
            .with_help("one act takes the same wherever it is offered; another act has another name");
        self.faults.push(match declared {
            Some(declared) => fault.with_label(declared.act.span, "offered here first"),
            None => fault,
        });
    }
}

/// `2 arguments`
pub(super) fn arguments(count: usize) -> String {
    match count {
        0 => "no arguments".to_owned(),
        1 => "one argument".to_owned(),
        more => format!("{more} arguments"),
    }
}

/// What an argument is called: a fixed one as what it is fixed to, if that has a name.
pub(super) fn argument_name(parameter: &ActParameter) -> String {
    match parameter {
        ActParameter::Parameter(parameter) => parameter.name.it.clone(),
        ActParameter::Fixed(value) => {
            if let ExprKind::Name { name, .. } | ExprKind::Field { field: name, .. } = &*value.it {
                name.it.clone()
            } else {
                String::new()
            }
        }
    }
}
