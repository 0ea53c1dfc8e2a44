//! Prints interfaces and mappings.

use super::Printer;
use super::expressions::comma_between;
use super::follow::Follow;
use crate::source::Span;
use crate::syntax::tree::{
    At, Implements, Interface, InterfaceItem, InterfaceValues, MapTarget, Mapping, Name, Parameter, PositionAnswer, PositionItem,
};

impl Printer<'_> {
    pub(super) fn interface(&mut self, interface: &Interface, whole: Span) {
        self.name_behind("interface ", &interface.name);
        self.title(interface.title.as_ref());
        self.braces(&interface.items, whole, |printer, item| printer.hanging(|printer| printer.interface_item(&item.it)));
    }

    fn interface_item(&mut self, item: &InterfaceItem) {
        match item {
            InterfaceItem::Param { name, values, title } => {
                self.name_behind("param ", name);
                self.put(": ");
                match values {
                    InterfaceValues::OneOf(names) => self.names(names),
                    InterfaceValues::SetOf(names) => {
                        self.put("set of ");
                        self.names(names);
                    }
                    InterfaceValues::Between(least, most) => self.between(least, Some(most)),
                }
                self.title(title.as_ref());
            }
            InterfaceItem::Classes(names) => {
                self.put("class ");
                self.names(names);
            }
            InterfaceItem::Compare { name, least, most, piece } => {
                self.name_behind("ranking ", name);
                self.put(" of ");
                self.between(least, most.as_ref());
                self.name_behind(" ", piece);
            }
            InterfaceItem::Shows { name, parameters, kind } => {
                self.named("shows ", name, parameters);
                self.put(": ");
                self.type_name(kind);
            }
            InterfaceItem::Act { name, parameters } => self.named("offer ", name, parameters),
            InterfaceItem::Event { name, parameters } => self.named("event ", name, parameters),
            InterfaceItem::Position { name, parameters, answer } => {
                self.name_behind("question ", name);
                let follow = comma_between(parameters.len());
                self.in_brackets(parameters, |printer, parameter| printer.parameter(parameter, follow));
                self.put(" -> ");
                self.type_name(answer);
            }
        }
        self.put(";");
    }

    fn named(&mut self, word: &str, name: &Name, parameters: &[Parameter]) {
        self.name_behind(word, name);
        self.parameters(parameters);
    }

    pub(super) fn implements(&mut self, implements: &Implements, whole: Span) {
        self.name_behind("implements ", &implements.interface);
        self.braces(&implements.mappings, whole, |printer, mapping| printer.hanging(|printer| printer.mapping(mapping)));
    }

    fn mapping(&mut self, mapping: &At<Mapping>) {
        match &mapping.it {
            Mapping::ParamOption { name, option, values } => self.map_param(name, "option ", option, values.as_deref()),
            Mapping::ParamParam { name, param, values } => self.map_param(name, "param ", param, values.as_deref()),
            Mapping::ParamChoices { name, choices } => {
                self.name_behind("param ", name);
                self.put(" = { ");
                self.list(choices, |printer, choice| {
                    printer.name(&choice.member);
                    printer.name_behind(": ", &choice.option);
                    printer.name_behind(" = ", &choice.branch);
                    printer.name_behind(" else ", &choice.otherwise);
                });
                self.put(" }");
            }
            Mapping::ParamFixed { name, value } => self.map_param(name, "only ", value, None),
            Mapping::Classes(pairs) => {
                self.put("class ");
                self.list(pairs, |printer, (name, class)| printer.class_pair(name, class.as_ref()));
            }
            Mapping::Compare(name, ranking) => {
                self.put("ranking ");
                self.class_pair(name, ranking.as_ref());
            }
            Mapping::Shows { name, parameters, value } => {
                self.mapped("shows ", name, parameters);
                self.expr(value);
            }
            Mapping::Act { name, parameters, target } => self.map_target("offer ", name, parameters, target),
            Mapping::Event { name, parameters, target } => self.map_target("event ", name, parameters, target),
            Mapping::Position { name, parameters, items, answer } => {
                self.name_behind("question ", name);
                self.map_parameters(parameters);
                self.put(" ");
                let lines: Vec<Line<'_>> = items.iter().map(Line::Item).chain([Line::Answer(answer)]).collect();
                return self.bare_braces(&lines, Line::span, mapping.span, Self::position_line);
            }
        }
        self.put(";");
    }

    fn map_param(&mut self, name: &Name, word: &str, to: &Name, values: Option<&[(Name, Name)]>) {
        self.name_behind("param ", name);
        self.put(" = ");
        self.name_behind(word, to);
        match values {
            None => {}
            Some([]) => self.put(" { }"),
            Some(values) => {
                self.put(" { ");
                self.list(values, |printer, (from, to)| {
                    printer.name(from);
                    printer.name_behind(": ", to);
                });
                self.put(" }");
            }
        }
    }

    fn class_pair(&mut self, name: &Name, to: Option<&Name>) {
        self.name(name);
        if let Some(to) = to {
            self.name_behind(" = ", to);
        }
    }

    fn map_parameters(&mut self, parameters: &[Name]) {
        if !parameters.is_empty() {
            self.put("(");
            self.names(parameters);
            self.put(")");
        }
    }

    fn mapped(&mut self, word: &str, name: &Name, parameters: &[Name]) {
        self.name_behind(word, name);
        self.map_parameters(parameters);
        self.put(" =");
        self.fill();
    }

    fn map_target(&mut self, word: &str, name: &Name, parameters: &[Name], target: &MapTarget) {
        self.mapped(word, name, parameters);
        self.call(&target.name, target.arguments.as_deref());
        if let Some(by) = &target.by {
            self.put(" by ");
            self.expr(by);
        }
    }

    fn position_line(&mut self, line: &Line<'_>) {
        self.hanging(|printer| {
            match line {
                Line::Item(item) => {
                    printer.call(&item.name, item.arguments.as_deref());
                    if let Some(value) = &item.value {
                        printer.put(" = ");
                        printer.expr(value);
                    }
                }
                Line::Answer(answer) => {
                    let PositionAnswer { value, each } = &answer.it;
                    printer.put("is ");
                    printer.expr(value);
                    if let Some(binder) = each {
                        printer.put(" for ");
                        printer.binder(binder, Follow::NOTHING);
                    }
                }
            }
            printer.put(";");
        });
    }
}

/// A line of a position.
enum Line<'l> {
    Item(&'l PositionItem),
    Answer(&'l At<PositionAnswer>),
}

impl Line<'_> {
    fn span(&self) -> Span {
        match self {
            Line::Item(item) => item.value.as_ref().map_or(item.name.span, |value| item.name.span.to(value.span)),
            Line::Answer(answer) => answer.span,
        }
    }
}
