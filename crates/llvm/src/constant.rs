//! Constants: numbers, addresses, and the initialisers of globals.

use brownout_ir::{
    CastOp, FloatKind, Initializer, IntBinary, Op, Operand, Relocation, Symbol, Type,
};

use crate::error::Gap;
use crate::function::FunctionLowering;
use crate::leaves;
use crate::module::Lowering;
use crate::raw::{Linkage, Opcode, TypeKind, Value, ValueKind};
use crate::wide;

/// `plus - minus + addend`: every constant a C compiler emits has this form.
#[derive(Clone, Copy)]
struct Symbolic {
    plus: Option<Symbol>,
    minus: Option<Symbol>,
    addend: i128,
}

impl Symbolic {
    const fn number(addend: i128) -> Self {
        Self {
            plus: None,
            minus: None,
            addend,
        }
    }

    const fn symbol(symbol: Symbol) -> Self {
        Self {
            plus: Some(symbol),
            minus: None,
            addend: 0,
        }
    }

    fn add(self, other: Self) -> Option<Self> {
        let plus = match (self.plus, other.plus) {
            (Some(_), Some(_)) => return None,
            (a, b) => a.or(b),
        };
        let minus = match (self.minus, other.minus) {
            (Some(_), Some(_)) => return None,
            (a, b) => a.or(b),
        };
        let (plus, minus) = if plus == minus {
            (None, None)
        } else {
            (plus, minus)
        };
        Some(Self {
            plus,
            minus,
            addend: self.addend.wrapping_add(other.addend),
        })
    }

    fn negate(self) -> Self {
        Self {
            plus: self.minus,
            minus: self.plus,
            addend: self.addend.wrapping_neg(),
        }
    }
}

/// Whether this is a weak reference to something that is not there.
pub(crate) fn is_absent(value: Value<'_>) -> bool {
    value.is_declaration() && value.linkage() == Linkage::LLVMExternalWeakLinkage
}

/// The bits of a number.
fn number(value: Value<'_>, ty: Type) -> Option<u128> {
    match value.value_kind() {
        ValueKind::LLVMConstantIntValueKind => Some(match ty {
            Type::Int(bits) if bits > 64 => wide_integer(value, bits),
            _ => value.low_word().into(),
        }),
        ValueKind::LLVMConstantFPValueKind => float_bits(value, ty),
        _ if value.is_null() || value.is_undefined() => Some(0),
        _ => None,
    }
}

/// LLVM's C API gives 64 bits of an integer; its text has them all.
fn wide_integer(value: Value<'_>, bits: u8) -> u128 {
    let text = value.print();
    let digits = text.rsplit(' ').next().unwrap_or_default();
    let mask = u128::MAX >> (128 - u32::from(bits));
    match digits.strip_prefix('-') {
        Some(magnitude) => magnitude.parse::<u128>().map_or(0, u128::wrapping_neg) & mask,
        None => digits.parse().unwrap_or(0),
    }
}

fn float_bits(value: Value<'_>, ty: Type) -> Option<u128> {
    let Type::Float(kind) = ty else { return None };
    let number = value.as_double();
    match kind {
        FloatKind::Double if !number.is_nan() => return Some(number.to_bits().into()),
        FloatKind::Single if !number.is_nan() => return Some((number as f32).to_bits().into()),
        _ => {}
    }
    // Not a number, or a format wider than double: the text has the exact bits in hexadecimal.
    let text = value.print();
    let digits = text.rsplit(' ').next().unwrap_or_default();
    let hex = |digits: &str| u128::from_str_radix(digits, 16).ok();
    if let Some(digits) = digits.strip_prefix("0xK") {
        hex(digits)
    } else if let Some(digits) = digits.strip_prefix("0xL") {
        // Low word first.
        let (low, high) = digits.split_at_checked(16)?;
        Some(hex(high)? << 64 | hex(low)?)
    } else if let Some(digits) = digits.strip_prefix("0xH") {
        hex(digits)
    } else if let Some(digits) = digits.strip_prefix("0x") {
        // Single precision is printed as the double of the same value.
        let double = hex(digits)?;
        Some(match kind {
            FloatKind::Single => {
                let sign = (double >> 63 & 1) << 31;
                sign | 0x7f80_0000 | (double >> 29 & 0x007f_ffff)
            }
            _ => double,
        })
    } else {
        Some(brownout_ir::eval::float_to_float(
            FloatKind::Double,
            kind,
            number.to_bits().into(),
        ))
    }
}

impl<'m> Lowering<'m> {
    fn symbolic(&mut self, value: Value<'m>) -> Option<Symbolic> {
        match value.value_kind() {
            // A weak symbol that nobody defines is at address zero.
            ValueKind::LLVMGlobalVariableValueKind | ValueKind::LLVMFunctionValueKind
                if is_absent(value) =>
            {
                Some(Symbolic::number(0))
            }
            ValueKind::LLVMConstantIntValueKind => {
                let bits = value.ty().int_bits();
                let low = if bits > 64 {
                    wide_integer(value, u8::try_from(bits).ok()?)
                } else {
                    value.low_word().into()
                };
                Some(Symbolic::number(brownout_ir::eval::wide::signed(
                    bits.min(128),
                    low,
                )))
            }
            ValueKind::LLVMConstantPointerNullValueKind => Some(Symbolic::number(0)),
            ValueKind::LLVMGlobalVariableValueKind => self
                .global(value)
                .map(|global| Symbolic::symbol(Symbol::Global(global))),
            ValueKind::LLVMFunctionValueKind => self
                .func(value)
                .map(|func| Symbolic::symbol(Symbol::Func(func))),
            ValueKind::LLVMGlobalAliasValueKind => self.symbolic(value.aliasee()),
            ValueKind::LLVMBlockAddressValueKind => {
                let (function, block) = value.block_address();
                let func = self.func(function)?;
                let block = self.block_numbers.get(&block).copied()?;
                Some(Symbolic::symbol(Symbol::Block(func, block)))
            }
            ValueKind::LLVMConstantExprValueKind => self.symbolic_expression(value),
            _ if value.is_undefined() => {
                self.note_undefined();
                Some(Symbolic::number(0))
            }
            // `dso_local_equivalent`, `no_cfi`: wrappers around a function.
            _ if value.operand_count() == 1 => self.symbolic(value.operand(0)),
            _ => None,
        }
    }

    fn symbolic_expression(&mut self, value: Value<'m>) -> Option<Symbolic> {
        match value.constant_opcode() {
            Opcode::LLVMBitCast
            | Opcode::LLVMAddrSpaceCast
            | Opcode::LLVMPtrToInt
            | Opcode::LLVMPtrToAddr
            | Opcode::LLVMIntToPtr
            | Opcode::LLVMTrunc => self.symbolic(value.operand(0)),
            Opcode::LLVMAdd => self
                .symbolic(value.operand(0))?
                .add(self.symbolic(value.operand(1))?),
            Opcode::LLVMSub => self
                .symbolic(value.operand(0))?
                .add(self.symbolic(value.operand(1))?.negate()),
            // `~x` is `-x - 1`.
            Opcode::LLVMXor => match (
                self.symbolic(value.operand(0))?,
                self.symbolic(value.operand(1))?,
            ) {
                (
                    a,
                    Symbolic {
                        plus: None,
                        minus: None,
                        addend: -1,
                    },
                ) => a.negate().add(Symbolic::number(-1)),
                _ => None,
            },
            Opcode::LLVMGetElementPtr => {
                let base = self.symbolic(value.operand(0))?;
                let mut ty = value.gep_source();
                let mut offset: i128 = 0;
                for (position, index) in value.operands().skip(1).enumerate() {
                    let index = self.symbolic(index)?.addend;
                    if position == 0 {
                        offset += index * i128::from(self.layout.size(ty));
                    } else if ty.kind() == TypeKind::LLVMStructTypeKind {
                        let field = u32::try_from(index).ok()?;
                        offset += i128::from(self.layout.field_offset(ty, field));
                        ty = *ty.fields().get(field as usize)?;
                    } else {
                        ty = ty.element();
                        offset += index * i128::from(self.layout.size(ty));
                    }
                }
                base.add(Symbolic::number(offset))
            }
            _ => None,
        }
    }
}

/// The constant whose bytes another one is made of: `bitcast (<4 x i8> ... to i32)`. Elements of whole bytes lie one
/// after the other; others are packed, and are not taken.
fn made_of<'m>(value: Value<'m>) -> Option<Value<'m>> {
    if value.value_kind() != ValueKind::LLVMConstantExprValueKind
        || value.constant_opcode() != Opcode::LLVMBitCast
    {
        return None;
    }
    let is_whole = |value: Value<'m>| {
        let ty = value.ty();
        let element = match ty.kind() {
            TypeKind::LLVMVectorTypeKind => ty.element(),
            _ => ty,
        };
        matches!(
            leaves::scalar(element),
            Some(
                Type::Int(8 | 16 | 32 | 64 | 128)
                    | Type::Float(FloatKind::Single | FloatKind::Double)
            )
        )
    };
    let operand = value.operand(0);
    (is_whole(value) && is_whole(operand)).then_some(operand)
}

/// The bytes of a constant that is made of those of another one, unless they are known only when the program is linked.
fn reinterpreted<'m>(lowering: &mut Lowering<'m>, value: Value<'m>) -> Option<Vec<u8>> {
    let operand = made_of(value)?;
    let size = lowering.layout.size(operand.ty());
    let mut init = Initializer::default();
    fill(lowering, operand, 0, size, &mut init);
    init.bytes.resize(usize::try_from(size).ok()?, 0);
    init.relocations.is_empty().then_some(init.bytes)
}

/// The number with these bytes, the lowest one first.
fn of_bytes(bytes: &[u8]) -> u128 {
    let bytes = bytes.iter().take(16).rev();
    bytes.fold(0, |number, &byte| number << 8 | u128::from(byte))
}

/// The initial contents of a global.
pub(crate) fn initializer<'m>(
    lowering: &mut Lowering<'m>,
    value: Value<'m>,
    size: u64,
) -> Initializer {
    let mut init = Initializer::default();
    fill(lowering, value, 0, size, &mut init);
    while init.bytes.last() == Some(&0) {
        init.bytes.pop();
    }
    init
}

fn put(init: &mut Initializer, offset: u64, bytes: &[u8], size: u64) {
    let end = (offset + bytes.len() as u64).min(size) as usize;
    if bytes.iter().all(|byte| *byte == 0) {
        return;
    }
    if init.bytes.len() < end {
        init.bytes.resize(end, 0);
    }
    let start = (offset as usize).min(end);
    init.bytes[start..end].copy_from_slice(&bytes[..end - start]);
}

fn fill<'m>(
    lowering: &mut Lowering<'m>,
    value: Value<'m>,
    offset: u64,
    size: u64,
    init: &mut Initializer,
) {
    let ty = value.ty();
    if let Some(operand) = made_of(value) {
        return fill(lowering, operand, offset, size, init);
    }
    match value.value_kind() {
        _ if value.is_null() => {}
        ValueKind::LLVMConstantDataArrayValueKind | ValueKind::LLVMConstantDataVectorValueKind => {
            put(init, offset, &value.raw_bytes(), size);
        }
        ValueKind::LLVMConstantArrayValueKind => {
            let stride = lowering.layout.size(ty.element());
            for (index, element) in value.operands().enumerate() {
                fill(
                    lowering,
                    element,
                    offset + index as u64 * stride,
                    size,
                    init,
                );
            }
        }
        ValueKind::LLVMConstantStructValueKind => {
            for (index, element) in value.operands().enumerate() {
                let at = offset + lowering.layout.field_offset(ty, index as u32);
                fill(lowering, element, at, size, init);
            }
        }
        ValueKind::LLVMConstantVectorValueKind => {
            let stride = lowering.layout.size(ty.element());
            for (index, element) in value.operands().enumerate() {
                fill(
                    lowering,
                    element,
                    offset + index as u64 * stride,
                    size,
                    init,
                );
            }
        }
        _ if value.is_undefined() => lowering.note_undefined(),
        _ => {
            if let Some(bits) = wide::width(ty) {
                let bytes: Vec<u8> = wide::limbs_of(value, bits)
                    .into_iter()
                    .flat_map(u64::to_le_bytes)
                    .collect();
                return put(init, offset, &bytes[..bits.div_ceil(8) as usize], size);
            }
            let Some(scalar) = leaves::scalar(ty) else {
                return fill_splat(lowering, value, offset, size, init);
            };
            let width = scalar.bytes(&lowering.program.target);
            if let Some(bits) = number(value, scalar) {
                return put(init, offset, &bits.to_le_bytes()[..width as usize], size);
            }
            match lowering.symbolic(value) {
                Some(Symbolic {
                    plus: Some(symbol),
                    minus,
                    addend,
                }) => init.relocations.push(Relocation {
                    offset,
                    bytes: width as u8,
                    symbol,
                    minus,
                    addend: addend as i64,
                }),
                Some(Symbolic {
                    plus: None,
                    minus: None,
                    addend,
                }) => {
                    put(init, offset, &addend.to_le_bytes()[..width as usize], size);
                }
                _ => lowering.gap(Gap::Constant(value.print()), None),
            }
        }
    }
}

/// Vector constants that LLVM keeps as one repeated element.
fn fill_splat<'m>(
    lowering: &mut Lowering<'m>,
    value: Value<'m>,
    offset: u64,
    size: u64,
    init: &mut Initializer,
) {
    let ty = value.ty();
    if ty.kind() != TypeKind::LLVMVectorTypeKind {
        return lowering.gap(Gap::Constant(value.print()), None);
    }
    let stride = lowering.layout.size(ty.element());
    for index in 0..ty.vector_length() {
        match value.aggregate_element(index) {
            Some(element) => fill(lowering, element, offset + index * stride, size, init),
            None => return lowering.gap(Gap::Constant(value.print()), None),
        }
    }
}

impl<'m> FunctionLowering<'_, 'm> {
    /// The leaves of a constant.
    pub(crate) fn constant(&mut self, value: Value<'m>) -> Vec<Operand> {
        let ty = value.ty();
        let Some(scalar) = leaves::scalar(ty) else {
            return self.aggregate_constant(value);
        };
        if value.is_undefined() {
            self.lowering.note_undefined();
        }
        if let Some(bits) = number(value, scalar) {
            return vec![Operand::Bits(bits)];
        }
        if let Some(bytes) = reinterpreted(self.lowering, value) {
            return vec![Operand::Bits(of_bytes(&bytes))];
        }
        match self
            .lowering
            .symbolic(value)
            .and_then(|symbolic| self.symbolic_operand(symbolic, scalar))
        {
            Some(operand) => vec![operand],
            None => {
                self.gap(Gap::Constant(value.print()));
                vec![Operand::Bits(0)]
            }
        }
    }

    fn aggregate_constant(&mut self, value: Value<'m>) -> Vec<Operand> {
        let ty = value.ty();
        if let Some(bits) = wide::width(ty) {
            return wide::limbs_of(value, bits)
                .into_iter()
                .map(|limb| Operand::Bits(limb.into()))
                .collect();
        }
        let leaves = self.lowering.leaves(ty);
        if value.is_undefined() || value.is_null() {
            if value.is_undefined() {
                self.lowering.note_undefined();
            }
            return vec![Operand::Bits(0); leaves.len()];
        }
        let count = match ty.kind() {
            TypeKind::LLVMStructTypeKind => ty.fields().len() as u64,
            TypeKind::LLVMArrayTypeKind => ty.array_length(),
            TypeKind::LLVMVectorTypeKind => ty.vector_length(),
            // No translation: noted when its leaves were asked for.
            _ => return Vec::new(),
        };
        if let Some(bytes) = reinterpreted(self.lowering, value) {
            let width = self.lowering.layout.size(ty.element()).max(1) as usize;
            return bytes
                .chunks(width)
                .take(leaves.len())
                .map(|bytes| Operand::Bits(of_bytes(bytes)))
                .collect();
        }
        let mut operands = Vec::with_capacity(leaves.len());
        for index in 0..count {
            match value.aggregate_element(index) {
                Some(element) => operands.extend(self.constant(element)),
                None => self.gap(Gap::Constant(value.print())),
            }
        }
        operands.resize(leaves.len(), Operand::Bits(0));
        operands
    }

    fn symbolic_operand(&mut self, symbolic: Symbolic, ty: Type) -> Option<Operand> {
        let target = self.lowering.program.target.clone();
        let mask = u128::MAX >> (128 - ty.bits(&target));
        let Symbolic {
            plus,
            minus,
            addend,
        } = symbolic;
        // An address used as a number.
        let word = Type::Int(target.pointer_bits);
        let mut number = match (plus, minus) {
            (None, None) => return Some(Operand::Bits(addend as u128 & mask)),
            (Some(plus), None) if ty == Type::Ptr => {
                return Some(self.symbol_address(plus, addend as i64));
            }
            (Some(plus), _) => {
                let address = self.symbol_address(plus, addend as i64);
                self.emit(
                    Op::Cast {
                        op: CastOp::PtrToInt,
                        from: Type::Ptr,
                        to: word,
                        a: address,
                    },
                    word,
                )
            }
            (None, Some(_)) => Operand::Bits(
                addend as u128 & (u128::MAX >> (128 - u32::from(target.pointer_bits))),
            ),
        };
        if let Some(minus) = minus {
            let address = self.symbol_address(minus, 0);
            let b = self.emit(
                Op::Cast {
                    op: CastOp::PtrToInt,
                    from: Type::Ptr,
                    to: word,
                    a: address,
                },
                word,
            );
            number = self.emit(
                Op::IntBinary {
                    op: IntBinary::Sub,
                    ty: word,
                    a: number,
                    b,
                },
                word,
            );
        }
        match ty {
            Type::Ptr => Some(self.cast(CastOp::IntToPtr, word, ty, number)),
            Type::Int(_) => Some(self.resize(number, word, ty)),
            Type::Float(_) => None,
        }
    }

    fn symbol_address(&mut self, symbol: Symbol, addend: i64) -> Operand {
        let base = match symbol {
            Symbol::Global(global) => return Operand::Global(global, addend),
            Symbol::Func(func) => Operand::Func(func),
            Symbol::Block(func, block) => Operand::BlockAddress(func, block),
        };
        self.offset(base, addend)
    }
}
