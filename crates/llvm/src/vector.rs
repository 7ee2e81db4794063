//! Vectors, element by element.

use brownout_ir::{CastOp, IntBinary, IntPredicate, Op, Operand, Type};

use crate::error::Gap;
use crate::function::FunctionLowering;
use crate::leaves;
use crate::raw::{self, Value};

impl<'m> FunctionLowering<'_, 'm> {
    pub(crate) fn extract_element(&mut self, inst: Value<'m>) {
        let elements = self.leaves_of(inst.operand(0));
        let index = self.scalar_of(inst.operand(1));
        let (Some(ty), Some(index_ty)) = (
            leaves::scalar(inst.ty()),
            leaves::scalar(inst.operand(1).ty()),
        ) else {
            return self.gap(Gap::Type(inst.ty().print()));
        };
        let result = match index {
            Operand::Bits(index) => elements
                .get(index as usize)
                .copied()
                .unwrap_or(Operand::Bits(0)),
            index => {
                let mut found = Operand::Bits(0);
                for (position, &element) in elements.iter().enumerate() {
                    let condition = self.is_index(index_ty, index, position);
                    found = self.emit(
                        Op::Select {
                            ty,
                            condition,
                            a: element,
                            b: found,
                        },
                        ty,
                    );
                }
                found
            }
        };
        self.define(inst, vec![result]);
    }

    pub(crate) fn insert_element(&mut self, inst: Value<'m>) {
        let mut elements = self.leaves_of(inst.operand(0));
        let new = self.scalar_of(inst.operand(1));
        let index = self.scalar_of(inst.operand(2));
        let (Some(ty), Some(index_ty)) = (
            leaves::scalar(inst.operand(1).ty()),
            leaves::scalar(inst.operand(2).ty()),
        ) else {
            return self.gap(Gap::Type(inst.ty().print()));
        };
        match index {
            Operand::Bits(index) => {
                if let Some(element) = elements.get_mut(index as usize) {
                    *element = new;
                }
            }
            index => {
                for (position, element) in elements.iter_mut().enumerate() {
                    let condition = self.is_index(index_ty, index, position);
                    *element = self.emit(
                        Op::Select {
                            ty,
                            condition,
                            a: new,
                            b: *element,
                        },
                        ty,
                    );
                }
            }
        }
        self.define(inst, elements);
    }

    fn is_index(&mut self, ty: Type, index: Operand, position: usize) -> Operand {
        let b = Operand::Bits(position as u128);
        self.emit(
            Op::IntCompare {
                op: IntPredicate::Eq,
                ty,
                a: index,
                b,
            },
            Type::BOOL,
        )
    }

    pub(crate) fn shuffle(&mut self, inst: Value<'m>) {
        let mut all = self.leaves_of(inst.operand(0));
        all.extend(self.leaves_of(inst.operand(1)));
        let pick = |index: i32| {
            usize::try_from(index)
                .ok()
                .and_then(|index| all.get(index).copied())
        };
        let result = inst
            .shuffle_mask()
            .into_iter()
            .map(|index| pick(index).unwrap_or(Operand::Bits(0)))
            .collect();
        self.define(inst, result);
    }

    /// The same bits as another type, possibly cut into other pieces.
    pub(crate) fn bitcast(&mut self, inst: Value<'m>) {
        let source = self.leaves_of(inst.operand(0));
        let from = self.lowering.types(inst.operand(0).ty());
        let to = self.lowering.types(inst.ty());
        let result = self.recut(&source, &from, &to);
        match result {
            Some(result) => self.define(inst, result),
            None => self.gap(Gap::Instruction(inst.print().trim().to_owned())),
        }
    }

    fn recut(&mut self, source: &[Operand], from: &[Type], to: &[Type]) -> Option<Vec<Operand>> {
        let (&first_from, &first_to) = (from.first()?, to.first()?);
        // Pieces of different sizes (the limbs of an odd wide integer) are not cut.
        if from.iter().any(|ty| *ty != first_from) || to.iter().any(|ty| *ty != first_to) {
            return None;
        }
        let (have, want) = (self.bits(first_from), self.bits(first_to));
        if have == want {
            return Some(
                source
                    .iter()
                    .map(|&a| self.same_bits(a, first_from, first_to))
                    .collect(),
            );
        }
        let int = |bits: u32| {
            u8::try_from(bits)
                .ok()
                .filter(|bits| *bits <= 128)
                .map(Type::Int)
        };
        let (wide, narrow) = (int(have.max(want))?, int(have.min(want))?);
        if have.max(want) % have.min(want) != 0 {
            return None;
        }
        let pieces = (have.max(want) / have.min(want)) as usize;
        let mut result = Vec::with_capacity(to.len());
        if have > want {
            for &element in source {
                let whole = self.same_bits(element, first_from, wide);
                for piece in 0..pieces as u32 {
                    let shifted = self.shift(IntBinary::LShr, wide, whole, piece * want);
                    let cut = self.cast(CastOp::Trunc, wide, narrow, shifted);
                    result.push(self.same_bits(cut, narrow, first_to));
                }
            }
        } else {
            for group in source.chunks(pieces) {
                let mut whole = Operand::Bits(0);
                for (piece, &element) in group.iter().enumerate() {
                    let bits = self.same_bits(element, first_from, narrow);
                    let widened = self.cast(CastOp::ZExt, narrow, wide, bits);
                    let shifted = self.shift(IntBinary::Shl, wide, widened, piece as u32 * have);
                    whole = if piece == 0 {
                        shifted
                    } else {
                        self.int_binary(IntBinary::Or, wide, whole, shifted)
                    };
                }
                result.push(self.same_bits(whole, wide, first_to));
            }
        }
        Some(result)
    }

    fn shift(&mut self, op: IntBinary, ty: Type, a: Operand, count: u32) -> Operand {
        if count == 0 {
            a
        } else {
            self.int_binary(op, ty, a, Operand::Bits(count.into()))
        }
    }

    /// A scalar as another type of the same width.
    fn same_bits(&mut self, a: Operand, from: Type, to: Type) -> Operand {
        match (from, to) {
            _ if from == to => a,
            (Type::Ptr, Type::Int(_)) => self.cast(CastOp::PtrToInt, from, to, a),
            (Type::Int(_), Type::Ptr) => self.cast(CastOp::IntToPtr, from, to, a),
            _ => self.cast(CastOp::Bitcast, from, to, a),
        }
    }

    /// A vector of bits is one integer in memory.
    pub(crate) fn load_packed(
        &mut self,
        ty: raw::Type<'m>,
        width: u32,
        address: Operand,
    ) -> Vec<Operand> {
        let types = self.lowering.types(ty);
        let Ok(total) = u8::try_from(width * types.len() as u32) else {
            self.gap(Gap::Type(ty.print()));
            return vec![Operand::Bits(0); types.len()];
        };
        let whole = self.load(Type::Int(total.min(128)), address);
        self.recut(&[whole], &[Type::Int(total.min(128))], &types)
            .unwrap_or_default()
    }

    /// The reverse of [`Self::load_packed`].
    pub(crate) fn store_packed(&mut self, width: u32, address: Operand, values: &[Operand]) {
        let (Ok(total), Ok(element)) = (
            u8::try_from(width * values.len() as u32),
            u8::try_from(width),
        ) else {
            return self.gap(Gap::Type("wide vector of bits".to_owned()));
        };
        let types = vec![Type::Int(element); values.len()];
        match self
            .recut(values, &types, &[Type::Int(total.min(128))])
            .as_deref()
        {
            Some(&[whole]) => self.store(Type::Int(total.min(128)), address, whole),
            _ => self.gap(Gap::Type("wide vector of bits".to_owned())),
        }
    }
}
