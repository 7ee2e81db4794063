//! A program as text. [`crate::parse()`] reads it back: for every program that
//! verifies, `parse(print(p)) == p`.
//!
//! ```text
//! target "msp430" pointer 16
//! file f0 = "sense.c"
//! place p0 = f0:12:11 "main"
//! type t0 = signed "int" size 2
//! global g0 "count" size 2 align 2 section ".fram" exported typed t0 = {
//!   hex 0100
//! }
//! function fn0 "main" (i16) -> i16 exported @p0 {
//!   slot s0 size 2 align 2 name "x" typed t0
//! b0(v0: i16):
//!   v1 = load i16 g0 @p0                  ; sense.c:12:11, g0 = count
//!   v2 = add i16 v1, v0
//!   store i16 v2 to g0
//!   return v2
//! }
//! ```
//!
//! Line breaks are for the reader; a comment runs from `;` to the end of its
//! line. A result shows its type only where the operation does not imply it.
//! Constants are the bits of their type: decimal when small, else hexadecimal.

mod inst;
mod spelling;

use std::fmt::{self, Display, Formatter, Write};

use crate::entity::Arena;
use crate::inst::{Callee, Inst, Op, Operand};
use crate::program::*;
use crate::source::{Place, SourceType, TypeId, TypeKind};
use spelling::{Escaped, List, Offset, Quoted, Results, comma, separator};

/// One function of `program` as text; nothing if there is no such function.
pub fn print_function(program: &Program, function: Func) -> String {
    struct One<'a>(&'a Program, Func);
    impl Display for One<'_> {
        fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
            Printer::new(self.0, f).function(self.1)
        }
    }
    One(program, function).to_string()
}

impl Display for Program {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        Printer::new(self, f).program()
    }
}

/// Writes line by line, so that comments can be aligned.
struct Printer<'p, 'f, 'o> {
    program: &'p Program,
    out: &'o mut Formatter<'f>,
    line: String,
    comment: String,
}

/// Fewer zero bytes than this are written out.
const SHORT_RUN: usize = 12;

/// The column comments start at, if the line is short enough.
const COMMENT_COLUMN: usize = 42;

impl<'p, 'f, 'o> Printer<'p, 'f, 'o> {
    fn new(program: &'p Program, out: &'o mut Formatter<'f>) -> Self {
        Self {
            program,
            out,
            line: String::new(),
            comment: String::new(),
        }
    }

    fn program(&mut self) -> fmt::Result {
        let program = self.program;
        let target = &program.target;
        write!(
            self.line,
            "target {} pointer {}",
            Quoted(&target.name),
            target.pointer_bits
        )?;
        self.end_line()?;
        if program.undefined_values != 0 {
            write!(self.line, "undefined {}", program.undefined_values)?;
            self.end_line()?;
        }
        self.hooks("constructors", &program.constructors)?;
        self.hooks("destructors", &program.destructors)?;
        self.source()?;
        self.gap(&program.globals)?;
        for (id, global) in program.globals.iter() {
            self.global(id, global)?;
        }
        for id in program.functions.ids() {
            self.end_line()?;
            self.function(id)?;
        }
        Ok(())
    }

    fn hooks(&mut self, keyword: &str, functions: &[Func]) -> fmt::Result {
        if functions.is_empty() {
            return Ok(());
        }
        write!(self.line, "{keyword} {}", List(functions))?;
        for function in functions {
            self.mention(Operand::Func(*function))?;
        }
        self.end_line()
    }

    fn source(&mut self) -> fmt::Result {
        let source = &self.program.source;
        self.gap(&source.files)?;
        for (id, name) in source.files.iter() {
            write!(self.line, "file {id} = {}", Quoted(name))?;
            self.end_line()?;
        }
        self.gap(&source.places)?;
        for (id, place) in source.places.iter() {
            let (file, line, column) = (place.file, place.line, place.column);
            let function = Quoted(&place.function);
            write!(self.line, "place {id} = {file}:{line}:{column} {function}")?;
            if let Some(call) = place.inlined_at {
                write!(self.line, " inlined {call}")?;
            }
            self.end_line()?;
        }
        self.gap(&source.types)?;
        for (id, ty) in source.types.iter() {
            self.source_type(id, ty)?;
        }
        Ok(())
    }

    fn source_type(&mut self, id: TypeId, ty: &SourceType) -> fmt::Result {
        let keyword = ty.kind.keyword();
        write!(
            self.line,
            "type {id} = {keyword} {} size {}",
            Quoted(&ty.name),
            ty.size
        )?;
        match &ty.kind {
            TypeKind::Struct(fields) | TypeKind::Union(fields) => {
                self.line.push_str(" {");
                for (index, field) in fields.iter().enumerate() {
                    let (name, at) = (Quoted(&field.name), field.bit_offset);
                    write!(self.line, "{} {name}: {} at {at}", comma(index), field.ty)?;
                    if let Some(bits) = field.bit_size {
                        write!(self.line, " bits {bits}")?;
                    }
                }
                self.line.push_str(" }");
            }
            TypeKind::Enum(names) => {
                self.line.push_str(" {");
                for (index, (name, value)) in names.iter().enumerate() {
                    write!(self.line, "{} {} = {value}", comma(index), Quoted(name))?;
                }
                self.line.push_str(" }");
            }
            TypeKind::Array { element, count } => {
                write!(self.line, " of {element} count {count}")?;
            }
            TypeKind::Pointer(Some(to)) => write!(self.line, " to {to}")?,
            TypeKind::Pointer(None) => {}
            TypeKind::Unsigned
            | TypeKind::Signed
            | TypeKind::Char
            | TypeKind::Bool
            | TypeKind::Float
            | TypeKind::Opaque => {}
        }
        self.end_line()
    }

    fn global(&mut self, id: Global, global: &GlobalData) -> fmt::Result {
        write!(
            self.line,
            "global {id} {} size {} align {}",
            Quoted(&global.name),
            global.size,
            global.align
        )?;
        if let Some(section) = &global.section {
            write!(self.line, " section {}", Quoted(section))?;
        }
        if global.constant {
            self.line.push_str(" constant");
        }
        self.visibility(global.exported, global.origin);
        if let Some(variable) = &global.variable {
            write!(self.line, " variable {}", Quoted(variable))?;
        }
        self.source_facts(global.ty, &global.annotations, global.place)?;
        match &global.init {
            None => self.end_line(),
            Some(init) if init.bytes.is_empty() && init.relocations.is_empty() => {
                self.line.push_str(" = {}");
                self.end_line()
            }
            Some(init) => {
                self.line.push_str(" = {");
                self.end_line()?;
                self.initializer(init)?;
                self.line.push('}');
                self.end_line()
            }
        }
    }

    fn initializer(&mut self, init: &Initializer) -> fmt::Result {
        let mut rest = init.bytes.as_slice();
        while !rest.is_empty() {
            let zeros = rest.iter().take_while(|byte| **byte == 0).count();
            if zeros >= SHORT_RUN {
                write!(self.line, "  zeros {zeros}")?;
                rest = &rest[zeros..];
            } else {
                // A row ends early where a run of zeros starts.
                let row = &rest[..rest.len().min(32)];
                let end = (1..row.len())
                    .find(|&at| rest[at..].iter().take(SHORT_RUN).all(|byte| *byte == 0))
                    .filter(|at| rest.len() - at >= SHORT_RUN)
                    .unwrap_or(row.len());
                self.line.push_str("  hex");
                for (index, byte) in row[..end].iter().enumerate() {
                    let gap = if index.is_multiple_of(4) { " " } else { "" };
                    write!(self.line, "{gap}{byte:02x}")?;
                }
                rest = &rest[end..];
            }
            self.end_line()?;
        }
        for relocation in &init.relocations {
            let (offset, symbol) = (relocation.offset, relocation.symbol);
            write!(self.line, "  at {offset} = {symbol}")?;
            self.mention_symbol(symbol)?;
            if let Some(minus) = relocation.minus {
                write!(self.line, " minus {minus}")?;
                self.mention_symbol(minus)?;
            }
            let addend = Offset(relocation.addend);
            write!(self.line, "{addend} bytes {}", relocation.bytes)?;
            self.end_line()?;
        }
        Ok(())
    }

    fn function(&mut self, id: Func) -> fmt::Result {
        let Some(function) = self.program.functions.get(id) else {
            return Ok(());
        };
        write!(
            self.line,
            "function {id} {} ({}){}",
            Quoted(&function.name),
            List(&function.params),
            Results(&function.results)
        )?;
        if function.variadic {
            self.line.push_str(" variadic");
        }
        if !function.signed.is_empty() {
            write!(self.line, " signed ({})", List(&function.signed))?;
        }
        if let Some(prototype) = &function.prototype {
            write!(self.line, " prototype {}", Quoted(prototype))?;
        }
        self.visibility(function.exported, function.origin);
        self.source_facts(None, &function.annotations, function.place)?;
        let Some(body) = &function.body else {
            return self.end_line();
        };
        self.line.push_str(" {");
        self.end_line()?;
        for (slot, data) in body.slots.iter() {
            self.slot(slot, data)?;
        }
        for (number, data) in &body.parameters {
            write!(self.line, "  parameter {number}")?;
            if let Some(name) = &data.name {
                write!(self.line, " name {}", Quoted(name))?;
            }
            self.source_facts(data.ty, &[], None)?;
            self.end_line()?;
        }
        for (block, data) in body.blocks.iter() {
            self.block(body, block, data)?;
        }
        self.line.push('}');
        self.end_line()
    }

    fn slot(&mut self, id: Slot, slot: &SlotData) -> fmt::Result {
        write!(
            self.line,
            "  slot {id} size {} align {}",
            slot.size, slot.align
        )?;
        if let Some(name) = &slot.name {
            write!(self.line, " name {}", Quoted(name))?;
        }
        self.source_facts(slot.ty, &slot.annotations, slot.place)?;
        self.end_line()
    }

    fn block(&mut self, body: &Body, id: Block, block: &BlockData) -> fmt::Result {
        write!(self.line, "{id}")?;
        if !block.params.is_empty() {
            self.line.push('(');
            for (index, param) in block.params.iter().enumerate() {
                write!(self.line, "{}{param}", separator(index))?;
                if let Some(ty) = body.values.get(*param) {
                    write!(self.line, ": {ty}")?;
                }
            }
            self.line.push(')');
        }
        self.line.push(':');
        self.end_line()?;
        for inst in &block.insts {
            self.inst(body, inst)?;
        }
        write!(self.line, "  {}", block.terminator)?;
        self.place(block.place)?;
        let mut result = Ok(());
        block.terminator.visit_operands(|operand| {
            result = result.and_then(|()| self.mention_in(body, operand));
        });
        result?;
        self.end_line()
    }

    fn inst(&mut self, body: &Body, inst: &Inst) -> fmt::Result {
        let target = &self.program.target;
        self.line.push_str("  ");
        for (index, result) in inst.results.iter().enumerate() {
            write!(self.line, "{}{result}", separator(index))?;
            let ty = body.values.get(*result).copied();
            if let Some(ty) = ty.filter(|_| ty != inst.op.result_type(index, target)) {
                write!(self.line, ": {ty}")?;
            }
        }
        if !inst.results.is_empty() {
            self.line.push_str(" = ");
        }
        write!(self.line, "{}", inst.op)?;
        self.place(inst.place)?;
        if let Op::Call {
            callee: Callee::Direct(function),
            ..
        } = inst.op
        {
            self.mention(Operand::Func(function))?;
        }
        let mut result = Ok(());
        inst.op.visit_operands(target, |operand, _| {
            result = result.and_then(|()| self.mention_in(body, operand));
        });
        result?;
        self.end_line()
    }

    fn visibility(&mut self, exported: bool, origin: Origin) {
        if exported {
            self.line.push_str(" exported");
        }
        match origin {
            Origin::User => {}
            Origin::Library => self.line.push_str(" library"),
        }
    }

    fn source_facts(
        &mut self,
        ty: Option<TypeId>,
        annotations: &[String],
        place: Option<Place>,
    ) -> fmt::Result {
        if let Some(ty) = ty {
            write!(self.line, " typed {ty}")?;
        }
        for annotation in annotations {
            write!(self.line, " annotate {}", Quoted(annotation))?;
        }
        self.place(place)
    }

    /// Names a place, and what it is in the comment.
    fn place(&mut self, place: Option<Place>) -> fmt::Result {
        let Some(place) = place else { return Ok(()) };
        write!(self.line, " @{place}")?;
        let source = &self.program.source;
        let Some(data) = source.places.get(place) else {
            return Ok(());
        };
        if let Some(file) = source.files.get(data.file) {
            write!(
                self.comment,
                "{}:{}:{}",
                Escaped(file),
                data.line,
                data.column
            )?;
        }
        Ok(())
    }

    /// Says in the comment what a global or function is called.
    fn mention(&mut self, operand: Operand) -> fmt::Result {
        let program = self.program;
        match operand {
            Operand::Global(global, _) => match program.globals.get(global) {
                Some(data) => self.name(global, &data.name),
                None => Ok(()),
            },
            Operand::Func(function) | Operand::BlockAddress(function, _) => {
                match program.functions.get(function) {
                    Some(data) => self.name(function, &data.name),
                    None => Ok(()),
                }
            }
            Operand::Value(_) | Operand::Bits(_) | Operand::Slot(..) => Ok(()),
        }
    }

    fn mention_symbol(&mut self, symbol: Symbol) -> fmt::Result {
        match symbol {
            Symbol::Global(global) => self.mention(Operand::Global(global, 0)),
            Symbol::Func(function) | Symbol::Block(function, _) => {
                self.mention(Operand::Func(function))
            }
        }
    }

    fn mention_in(&mut self, body: &Body, operand: Operand) -> fmt::Result {
        match operand {
            Operand::Slot(slot, _) => match body.slots.get(slot).map(|data| &data.name) {
                Some(Some(name)) => self.name(slot, name),
                Some(None) | None => Ok(()),
            },
            _ => self.mention(operand),
        }
    }

    fn name(&mut self, id: impl Display, name: &str) -> fmt::Result {
        let start = format!("{id} = ");
        if self.comment.contains(&start) {
            return Ok(());
        }
        let gap = if self.comment.is_empty() { "" } else { ", " };
        write!(self.comment, "{gap}{start}{}", Escaped(name))
    }

    /// A blank line before a group that is not empty.
    fn gap<I: crate::Id, T>(&mut self, group: &Arena<I, T>) -> fmt::Result {
        if group.is_empty() {
            Ok(())
        } else {
            self.end_line()
        }
    }

    fn end_line(&mut self) -> fmt::Result {
        if !self.comment.is_empty() {
            let pad = COMMENT_COLUMN.saturating_sub(self.line.len()).max(1);
            write!(self.line, "{:pad$}; {}", "", self.comment)?;
            self.comment.clear();
        }
        self.line.push('\n');
        self.out.write_str(&self.line)?;
        self.line.clear();
        Ok(())
    }
}
