//! A sketch as C. Every statement gets the line that it is written in.

use std::fmt::Write;

use super::sketch::{
    Condition, ELEMENTS, Expression, Index, Relation, Sketch, Statement, Variable, What,
};
use crate::setting::{Policy, Setting, Tag};

/// The program as C, with annotations for everything in the setting that has one.
pub(super) fn write(sketch: &mut Sketch, setting: &Setting) -> String {
    let mut text = Text::default();
    text.line("#include <brownout.h>");
    if setting
        .outputs
        .iter()
        .any(|(_, tag)| *tag == Tag::AtMostOnce)
    {
        // For headers that do not know the tag.
        text.line("#ifndef BROWNOUT__OUTPUT_at_most_once");
        text.line("#define BROWNOUT__OUTPUT_at_most_once \"brownout:output:at_most_once\"");
        text.line("#endif");
    }
    for number in 0..sketch.kept {
        let name = format!("nv{number}");
        let aware = match setting.aware.contains(&name) {
            true => "BROWNOUT_INTERMITTENCE_AWARE ",
            false => "",
        };
        text.line(&format!("BROWNOUT_NV {aware}int {name};"));
    }
    for number in 0..sketch.plain {
        text.line(&format!("int ram{number};"));
    }
    if sketch.array {
        text.line(&format!("BROWNOUT_NV int log[{ELEMENTS}];"));
    }
    if let Some(value) = sketch.wide {
        text.line(&format!("BROWNOUT_NV unsigned long wide = {value};"));
    }
    text.line("void checkpoint(void);");
    for (name, _) in &setting.inputs {
        text.line(&format!("int {name}(void) BROWNOUT_INPUT;"));
    }
    for (name, tag) in &setting.outputs {
        let kind = match tag {
            Tag::None => "",
            Tag::Absolute => "absolute",
            Tag::Relative => "relative",
            Tag::AtMostOnce => "at_most_once",
        };
        text.line(&format!("void {name}(int) BROWNOUT_OUTPUT({kind});"));
    }
    let is_task = setting.policy == Policy::Tasks;
    let mut functions = std::mem::take(&mut sketch.functions);
    for (body, number) in functions.iter_mut().zip(0..) {
        let linkage = match is_task {
            true => "__attribute__((noinline)) void",
            false => "static void",
        };
        text.line(&format!("{linkage} part{number}(void) {{"));
        text.statements(body, 1);
        text.line("}");
    }
    sketch.functions = functions;
    text.line("int main(void) {");
    for number in 0..sketch.locals {
        text.line(&format!("    int local{number} = 0;"));
    }
    text.statements(&mut sketch.setup, 1);
    if let Some(body) = &mut sketch.rounds {
        text.line("    for (;;) {");
        text.statements(body, 2);
        text.line("    }");
    }
    text.statements(&mut sketch.finish, 1);
    if sketch.rounds.is_none() {
        let status = sketch.status.map_or("0".to_owned(), expression);
        text.line(&format!("    return {status};"));
    }
    text.line("}");
    text.text
}

#[derive(Default)]
struct Text {
    text: String,
    lines: u32,
}

impl Text {
    fn line(&mut self, line: &str) {
        self.lines += 1;
        // Writing to a string never fails.
        let _ = writeln!(self.text, "{line}");
    }

    fn statements(&mut self, statements: &mut [Statement], depth: usize) {
        let indent = "    ".repeat(depth);
        for statement in statements {
            statement.line = self.lines + 1;
            match &mut statement.what {
                What::Assign(to, value) => {
                    let line = format!("{indent}{} = {};", name(*to), expression(*value));
                    self.line(&line);
                }
                What::Widen(number) => self.line(&format!("{indent}wide = wide + {number};")),
                What::Wide(number) => self.line(&format!("{indent}wide = {number};")),
                What::Read(to, input) => {
                    self.line(&format!("{indent}{} = sense{input}();", name(*to)));
                }
                What::Output(output, value) => {
                    self.line(&format!("{indent}send{output}({});", expression(*value)));
                }
                What::Checkpoint => self.line(&format!("{indent}checkpoint();")),
                What::Call(number) => self.line(&format!("{indent}part{number}();")),
                What::If(on, then, otherwise) => {
                    self.line(&format!("{indent}if ({}) {{", condition(*on)));
                    self.statements(then, depth + 1);
                    if !otherwise.is_empty() {
                        self.line(&format!("{indent}}} else {{"));
                        self.statements(otherwise, depth + 1);
                    }
                    self.line(&format!("{indent}}}"));
                }
                What::Repeat(local, times, body) => {
                    let counter = format!("local{local}");
                    self.line(&format!(
                        "{indent}for ({counter} = 0; {counter} < {times}; {counter}++) {{"
                    ));
                    self.statements(body, depth + 1);
                    self.line(&format!("{indent}}}"));
                }
                What::Until(number, bound, body) => {
                    self.line(&format!("{indent}while (nv{number} < {bound}) {{"));
                    self.statements(body, depth + 1);
                    self.line(&format!("{indent}}}"));
                }
            }
        }
    }
}

fn name(variable: Variable) -> String {
    match variable {
        Variable::Kept(number) => format!("nv{number}"),
        Variable::Plain(number) => format!("ram{number}"),
        Variable::Local(number) => format!("local{number}"),
        Variable::Element(index) => {
            let last = ELEMENTS - 1;
            match index {
                Index::Number(number) => format!("log[{number}]"),
                Index::Kept(number) => format!("log[nv{number} & {last}]"),
                Index::Local(number) => format!("log[local{number} & {last}]"),
            }
        }
    }
}

fn expression(value: Expression) -> String {
    match value {
        Expression::Number(number) => number.to_string(),
        Expression::Of(variable) => name(variable),
        Expression::Sum(variable, number) => format!("{} + {number}", name(variable)),
        Expression::Both(a, b) => format!("{} + {}", name(a), name(b)),
    }
}

fn condition(condition: Condition) -> String {
    let relation = match condition.relation {
        Relation::Equal => "==",
        Relation::Differs => "!=",
        Relation::Less => "<",
    };
    format!(
        "{} {relation} {}",
        name(condition.variable),
        condition.number
    )
}
