//! Code is compared with what is known of instructions, and with operations carried out one by one.

use super::encode::{Base, Binary, Bytes, EACH, For, Lanes, Place, Source, Test, Z};

fn bytes(make: impl Fn(&mut Bytes)) -> Vec<u8> {
    let mut code = Bytes::default();
    make(&mut code);
    code.0
}

/// What the GNU assembler makes of the same instructions.
#[test]
fn instructions_have_the_bytes_that_an_assembler_gives_them() {
    let all = Lanes(0);
    // vmovdqa64 zmm3{k1}, zmm30
    assert_eq!(bytes(|code| code.copy(Z(3), Z(30), For::merging(Lanes(1)))), [0x62, 0x91, 0xfd, 0x49, 0x6f, 0xde]);
    // vpandq zmm1, zmm18, zmm31
    let pair = (Z(18), Source::Register(Z(31)));
    assert_eq!(bytes(|code| code.binary(Binary::And, Z(1), pair, EACH)), [0x62, 0x91, 0xed, 0x40, 0xdb, 0xcf]);
    // vpandnq zmm20{k1}, zmm7, zmm8
    let (pair, meant) = ((Z(7), Source::Register(Z(8))), For::merging(Lanes(1)));
    assert_eq!(bytes(|code| code.binary(Binary::AndNot, Z(20), pair, meant)), [0x62, 0xc1, 0xc5, 0x49, 0xdf, 0xe0]);
    // vpblendmq zmm4{k3}, zmm5, zmm26
    let (pair, meant) = ((Z(5), Source::Register(Z(26))), For::merging(Lanes(3)));
    assert_eq!(bytes(|code| code.binary(Binary::Blend, Z(4), pair, meant)), [0x62, 0x92, 0xd5, 0x4b, 0x64, 0xe2]);
    // vpsubq zmm1, zmm2, zmm3
    let pair = (Z(2), Source::Register(Z(3)));
    assert_eq!(bytes(|code| code.binary(Binary::Sub, Z(1), pair, EACH)), [0x62, 0xf1, 0xed, 0x48, 0xfb, 0xcb]);
    // vpxorq zmm16, zmm16, zmm16
    let pair = (Z(16), Source::Register(Z(16)));
    assert_eq!(bytes(|code| code.binary(Binary::Xor, Z(16), pair, EACH)), [0x62, 0xa1, 0xfd, 0x40, 0xef, 0xc0]);
    // vprolq zmm21, zmm9, 55; vpsllq zmm1, zmm29, 9; vpsrlq zmm13, zmm2, 63
    assert_eq!(bytes(|code| code.turn(Z(21), Z(9), 55)), [0x62, 0xd1, 0xd5, 0x40, 0x72, 0xc9, 0x37]);
    assert_eq!(bytes(|code| code.up(Z(1), Z(29), 9)), [0x62, 0x91, 0xf5, 0x48, 0x73, 0xf5, 0x09]);
    assert_eq!(bytes(|code| code.down(Z(13), Z(2), 63)), [0x62, 0xf1, 0x95, 0x48, 0x73, 0xd2, 0x3f]);
    // vpopcntq zmm22, zmm11
    assert_eq!(bytes(|code| code.ones(Z(22), Z(11))), [0x62, 0xc2, 0xfd, 0x48, 0x55, 0xf3]);
    // vptestmq k2{k1}, zmm19, zmm28; vptestnmq k3, zmm1, zmm2; vpcmpltq k2, zmm1, zmm25
    let pair = (Z(19), Source::Register(Z(28)));
    assert_eq!(bytes(|code| code.test(Test::Meet, Lanes(2), pair, Lanes(1))), [0x62, 0x92, 0xe5, 0x41, 0x27, 0xd4]);
    let pair = (Z(1), Source::Register(Z(2)));
    assert_eq!(bytes(|code| code.test(Test::Apart, Lanes(3), pair, all)), [0x62, 0xf2, 0xf6, 0x48, 0x27, 0xda]);
    let pair = (Z(1), Source::Register(Z(25)));
    assert_eq!(bytes(|code| code.test(Test::Less, Lanes(2), pair, all)), [0x62, 0x93, 0xf5, 0x48, 0x1f, 0xd1, 0x01]);
    // vpmovq2m k1, zmm24
    assert_eq!(bytes(|code| code.highest(Lanes(1), Z(24))), [0x62, 0x92, 0xfe, 0x48, 0x39, 0xc8]);
}

/// The same with offsets of four bytes, which assemblers write shorter if they can: vmovdqa64 zmm17, [r9 + 0x12341] and others.
#[test]
fn memory_is_reached_behind_its_base() {
    let place = |base, at| Place { base, at };
    let far = [0x41, 0x23, 0x01, 0x00];
    let begun = |code: &[u8]| [code, far.as_slice()].concat();
    let load = bytes(|code| code.load(Z(17), place(Base::Sets, 0x12341)));
    assert_eq!(load, begun(&[0x62, 0xc1, 0xfd, 0x48, 0x6f, 0x89]));
    let store = bytes(|code| code.store(place(Base::Numbers, 0x12341), Z(9)));
    assert_eq!(store, begun(&[0x62, 0x51, 0xfd, 0x48, 0x7f, 0x8a]));
    let broadcast = bytes(|code| code.broadcast(Z(12), place(Base::Constants, 0x12341), For::zeroing(Lanes(2))));
    assert_eq!(broadcast, begun(&[0x62, 0x52, 0xfd, 0xca, 0x59, 0xa0]));
    let word = Source::Word(place(Base::Constants, 0x12341));
    let or = bytes(|code| code.binary(Binary::Or, Z(1), (Z(2), word), EACH));
    assert_eq!(or, begun(&[0x62, 0xd1, 0xed, 0x58, 0xeb, 0x88]));
    let ternary = bytes(|code| code.ternary(Z(6), (Z(7), word), 0xf8));
    assert_eq!(ternary, [begun(&[0x62, 0xd3, 0xc5, 0x58, 0x25, 0xb0]), vec![0xf8]].concat());
}
