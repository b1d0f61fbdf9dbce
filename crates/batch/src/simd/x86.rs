//! SIMD for x86-64: vectors of 512 and of 256 bits go in; what AVX-512 or AVX2 make of them comes
//! out.

use std::arch::x86_64::{__m256i, __m512i};
use std::sync::LazyLock;

use multiversion::multiversion;
use multiversion::target::match_target;
use pulp::{NullaryFnOnce, cast};
use raw_cpuid::{CpuId, VendorInfo};

use crate::interp::deposit;
use crate::simd::{Chunks, FRACTION, Lane8, Places, Simd, WIDE};

pulp::simd_type! {
    /// Vectors of 512 bits.
    pub struct Avx512 {
        avx512f: "avx512f",
        avx512bw: "avx512bw",
        avx512dq: "avx512dq",
        avx512cd: "avx512cd",
        avx512vl: "avx512vl",
        avx512vpopcntdq: "avx512vpopcntdq",
        avx2: "avx2",
        bmi1: "bmi1",
        bmi2: "bmi2",
        lzcnt: "lzcnt",
        popcnt: "popcnt",
    }

    /// Vectors of 256 bits.
    pub struct Avx2 {
        avx: "avx",
        avx2: "avx2",
        bmi1: "bmi1",
        bmi2: "bmi2",
        lzcnt: "lzcnt",
        popcnt: "popcnt",
    }
}

impl Simd for Avx512 {
    type V8 = __m512i;
    const NATIVE: bool = true;
    const ABREAST: usize = 8;

    #[inline(always)]
    fn vectorize<J: NullaryFnOnce>(self, job: J) -> J::Output {
        Avx512::vectorize(self, job)
    }

    #[inline(always)]
    fn load(self, chunk: &Lane8) -> __m512i {
        cast(chunk.0)
    }

    #[inline(always)]
    fn store(self, a: __m512i) -> Lane8 {
        Lane8(cast(a))
    }

    #[inline(always)]
    fn all(self, word: u64) -> __m512i {
        self.avx512f._mm512_set1_epi64(word as i64)
    }

    #[inline(always)]
    fn and(self, a: __m512i, b: __m512i) -> __m512i {
        self.avx512f._mm512_and_si512(a, b)
    }

    #[inline(always)]
    fn or(self, a: __m512i, b: __m512i) -> __m512i {
        self.avx512f._mm512_or_si512(a, b)
    }

    #[inline(always)]
    fn xor(self, a: __m512i, b: __m512i) -> __m512i {
        self.avx512f._mm512_xor_si512(a, b)
    }

    #[inline(always)]
    fn without(self, a: __m512i, b: __m512i) -> __m512i {
        self.avx512f._mm512_andnot_si512(b, a)
    }

    #[inline(always)]
    fn blend(self, a: __m512i, other: __m512i, mask: __m512i) -> __m512i {
        self.avx512f._mm512_mask_blend_epi64(self.avx512dq._mm512_movepi64_mask(mask), a, other)
    }

    #[inline(always)]
    fn blend_negative(self, a: __m512i, other: __m512i, word: __m512i) -> __m512i {
        // Masks are told by their highest bits.
        self.blend(a, other, word)
    }

    #[inline(always)]
    fn up(self, a: __m512i, by: u32) -> __m512i {
        self.up_each(a, self.all(u64::from(by)))
    }

    #[inline(always)]
    fn down(self, a: __m512i, by: u32) -> __m512i {
        self.down_each(a, self.all(u64::from(by)))
    }

    #[inline(always)]
    fn moved(self, a: __m512i, by: i32) -> __m512i {
        self.turned(a, self.all((by & 63) as u64))
    }

    #[inline(always)]
    fn up_each(self, a: __m512i, by: __m512i) -> __m512i {
        self.avx512f._mm512_sllv_epi64(a, by)
    }

    #[inline(always)]
    fn down_each(self, a: __m512i, by: __m512i) -> __m512i {
        self.avx512f._mm512_srlv_epi64(a, by)
    }

    #[inline(always)]
    fn turned(self, a: __m512i, by: __m512i) -> __m512i {
        self.avx512f._mm512_rolv_epi64(a, by)
    }

    #[inline(always)]
    fn bits_at(self, [low, high]: [__m512i; 2], places: &Places) -> __m512i {
        let low = self.avx512bw._mm512_shuffle_epi8(low, self.load(&places.bytes[0]));
        let high = self.avx512bw._mm512_shuffle_epi8(high, self.load(&places.bytes[1]));
        let there = self.avx512bw._mm512_test_epi8_mask(self.or(low, high), self.load(&places.bits));
        self.avx512bw._mm512_movm_epi8(there)
    }

    #[inline(always)]
    fn looked_up(self, table: &Lane8, at: __m512i) -> __m512i {
        self.avx512f._mm512_permutexvar_epi64(at, cast(table.0))
    }

    #[inline(always)]
    fn add(self, a: __m512i, b: __m512i) -> __m512i {
        self.avx512f._mm512_add_epi64(a, b)
    }

    #[inline(always)]
    fn sub(self, a: __m512i, b: __m512i) -> __m512i {
        self.avx512f._mm512_sub_epi64(a, b)
    }

    #[inline(always)]
    fn mul(self, a: __m512i, b: __m512i) -> __m512i {
        self.avx512dq._mm512_mullo_epi64(a, b)
    }

    #[inline(always)]
    fn mul_halves(self, a: __m512i, b: __m512i) -> __m512i {
        self.avx512f._mm512_mul_epu32(a, b)
    }

    #[inline(always)]
    fn divided(self, a: __m512i, b: __m512i) -> (__m512i, __m512i) {
        // No function of its own: it would not be compiled for the processor at hand.
        let quotients =
            self.avx512f._mm512_div_pd(self.avx512dq._mm512_cvtepu64_pd(a), self.avx512dq._mm512_cvtepu64_pd(b));
        let quotients = self.avx512dq._mm512_cvttpd_epu64(quotients);
        (quotients, self.sub(a, self.mul(quotients, b)))
    }

    #[inline(always)]
    fn ones(self, a: __m512i) -> __m512i {
        // One instruction, where the compiler knows it.
        let a: [u64; WIDE] = cast(a);
        cast(each!(lane => u64::from(a[lane].count_ones())))
    }

    #[inline(always)]
    fn negative(self, a: __m512i) -> __m512i {
        self.avx512f._mm512_srai_epi64::<63>(a)
    }

    #[inline(always)]
    fn nth(self, words: &[Lane8], k: &[Lane8], bits: &mut [Lane8], chunks: Chunks) {
        deposited(words, k, bits, chunks);
    }

    #[inline(always)]
    fn equal(self, a: __m512i, b: __m512i) -> __m512i {
        self.avx512dq._mm512_movm_epi64(self.avx512f._mm512_cmpeq_epi64_mask(a, b))
    }

    #[inline(always)]
    fn less(self, a: __m512i, b: __m512i) -> __m512i {
        self.avx512dq._mm512_movm_epi64(self.avx512f._mm512_cmplt_epu64_mask(a, b))
    }

    #[inline(always)]
    fn less_signed(self, a: __m512i, b: __m512i) -> __m512i {
        self.avx512dq._mm512_movm_epi64(self.avx512f._mm512_cmplt_epi64_mask(a, b))
    }

    #[inline(always)]
    fn spread(self, bytes: u64) -> __m512i {
        self.avx512f._mm512_cvtepu8_epi64(cast([bytes, 0]))
    }

    #[inline(always)]
    fn gathered(self, a: __m512i) -> u64 {
        let [bytes, _]: [u64; 2] = cast(self.avx512f._mm512_cvtepi64_epi8(a));
        bytes
    }

    #[inline(always)]
    fn any(self, mask: __m512i) -> bool {
        self.avx512f._mm512_test_epi64_mask(mask, mask) != 0
    }
}

/// Whether the processor is fast at the instruction that finds the k-th bit of a word. Those of AMD
/// before Zen 3 take a dozen steps and more for each bit of the word.
static FINDS_BITS_FAST: LazyLock<bool> = LazyLock::new(|| {
    let processor = CpuId::new();
    let is_amd = |maker: VendorInfo| matches!(maker.as_str(), "AuthenticAMD" | "HygonGenuine");
    let is_old = || processor.get_feature_info().is_none_or(|known| known.family_id() < ZEN_3);
    !processor.get_vendor_info().is_some_and(is_amd) || !is_old()
});

/// The family of processors by AMD of which Zen 3 is the first.
const ZEN_3: u8 = 0x19;

/// By the instruction that finds the k-th bit of a word: processors with vectors of 512 bits have
/// it, and are fast at it.
#[multiversion(targets("x86_64+bmi2"))]
fn deposited(words: &[Lane8], k: &[Lane8], bits: &mut [Lane8], chunks: Chunks) {
    let select = match_target! {
        "x86_64+bmi2" => |word: u64, k: u32| deposit!(word, k),
        _ => crate::interp::nth_bit,
    };
    for i in chunks {
        let (words, k) = (&words[i].0, &k[i].0);
        bits[i] = Lane8(each!(lane => select(words[lane], k[lane] as u32)));
    }
}

/// Does the same to both halves.
macro_rules! halves {
    ($($a:ident),* => $made:expr) => {{
        [{ $(let $a = $a[0];)* $made }, { $(let $a = $a[1];)* $made }]
    }};
}

impl Simd for Avx2 {
    type V8 = [__m256i; 2];
    const ABREAST: usize = 2;

    #[inline(always)]
    fn vectorize<J: NullaryFnOnce>(self, job: J) -> J::Output {
        Avx2::vectorize(self, job)
    }

    #[inline(always)]
    fn load(self, chunk: &Lane8) -> [__m256i; 2] {
        cast(chunk.0)
    }

    #[inline(always)]
    fn store(self, a: [__m256i; 2]) -> Lane8 {
        Lane8(cast(a))
    }

    #[inline(always)]
    fn all(self, word: u64) -> [__m256i; 2] {
        [self.avx._mm256_set1_epi64x(word as i64); 2]
    }

    #[inline(always)]
    fn and(self, a: [__m256i; 2], b: [__m256i; 2]) -> [__m256i; 2] {
        halves!(a, b => self.avx2._mm256_and_si256(a, b))
    }

    #[inline(always)]
    fn or(self, a: [__m256i; 2], b: [__m256i; 2]) -> [__m256i; 2] {
        halves!(a, b => self.avx2._mm256_or_si256(a, b))
    }

    #[inline(always)]
    fn xor(self, a: [__m256i; 2], b: [__m256i; 2]) -> [__m256i; 2] {
        halves!(a, b => self.avx2._mm256_xor_si256(a, b))
    }

    #[inline(always)]
    fn without(self, a: [__m256i; 2], b: [__m256i; 2]) -> [__m256i; 2] {
        halves!(a, b => self.avx2._mm256_andnot_si256(b, a))
    }

    #[inline(always)]
    fn blend(self, a: [__m256i; 2], other: [__m256i; 2], mask: [__m256i; 2]) -> [__m256i; 2] {
        halves!(a, other, mask => self.avx2._mm256_blendv_epi8(a, other, mask))
    }

    #[inline(always)]
    fn blend_negative(self, a: [__m256i; 2], other: [__m256i; 2], word: [__m256i; 2]) -> [__m256i; 2] {
        halves!(a, other, word => cast(self.avx._mm256_blendv_pd(cast(a), cast(other), cast(word))))
    }

    #[inline(always)]
    fn up(self, a: [__m256i; 2], by: u32) -> [__m256i; 2] {
        self.up_each(a, self.all(u64::from(by)))
    }

    #[inline(always)]
    fn down(self, a: [__m256i; 2], by: u32) -> [__m256i; 2] {
        self.down_each(a, self.all(u64::from(by)))
    }

    #[inline(always)]
    fn up_each(self, a: [__m256i; 2], by: [__m256i; 2]) -> [__m256i; 2] {
        halves!(a, by => self.avx2._mm256_sllv_epi64(a, by))
    }

    #[inline(always)]
    fn down_each(self, a: [__m256i; 2], by: [__m256i; 2]) -> [__m256i; 2] {
        halves!(a, by => self.avx2._mm256_srlv_epi64(a, by))
    }

    #[inline(always)]
    fn turned(self, a: [__m256i; 2], by: [__m256i; 2]) -> [__m256i; 2] {
        self.or(self.up_each(a, by), self.down_each(a, self.sub(self.all(64), by)))
    }

    #[inline(always)]
    fn bits_at(self, [low, high]: [[__m256i; 2]; 2], places: &Places) -> [__m256i; 2] {
        let ([from_low, _], [from_high, _]) = (self.load(&places.bytes[0]), self.load(&places.bytes[1]));
        let [bits, _] = self.load(&places.bits);
        halves!(low, high => {
            let (low, high) = (self.avx2._mm256_shuffle_epi8(low, from_low), self.avx2._mm256_shuffle_epi8(high, from_high));
            self.avx2._mm256_cmpeq_epi8(self.avx2._mm256_and_si256(self.avx2._mm256_or_si256(low, high), bits), bits)
        })
    }

    /// Words are found by their halves, among those of four words, and of the other four.
    #[inline(always)]
    fn looked_up(self, table: &Lane8, at: [__m256i; 2]) -> [__m256i; 2] {
        let ([first, second], upper) = (self.load(table), self.avx._mm256_set1_epi64x(1 << 32));
        halves!(at => {
            let both = self.avx2._mm256_slli_epi32::<1>(self.avx2._mm256_shuffle_epi32::<0b10_10_00_00>(at));
            let both = self.avx2._mm256_or_si256(both, upper);
            let of_first = self.avx2._mm256_permutevar8x32_epi32(first, both);
            let of_second = self.avx2._mm256_permutevar8x32_epi32(second, both);
            let is_second = self.avx2._mm256_slli_epi64::<61>(at);
            cast(self.avx._mm256_blendv_pd(cast(of_first), cast(of_second), cast(is_second)))
        })
    }

    #[inline(always)]
    fn add(self, a: [__m256i; 2], b: [__m256i; 2]) -> [__m256i; 2] {
        halves!(a, b => self.avx2._mm256_add_epi64(a, b))
    }

    #[inline(always)]
    fn sub(self, a: [__m256i; 2], b: [__m256i; 2]) -> [__m256i; 2] {
        halves!(a, b => self.avx2._mm256_sub_epi64(a, b))
    }

    #[inline(always)]
    fn mul(self, a: [__m256i; 2], b: [__m256i; 2]) -> [__m256i; 2] {
        let crossed = self.add(self.mul_halves(self.down(a, 32), b), self.mul_halves(a, self.down(b, 32)));
        self.add(self.mul_halves(a, b), self.up(crossed, 32))
    }

    #[inline(always)]
    fn mul_halves(self, a: [__m256i; 2], b: [__m256i; 2]) -> [__m256i; 2] {
        halves!(a, b => self.avx2._mm256_mul_epu32(a, b))
    }

    /// A number below 2^52 is put into the fraction of one that counts by ones. The product of
    /// quotient and divisor is not more, and so is exact.
    #[inline(always)]
    fn divided(self, a: [__m256i; 2], b: [__m256i; 2]) -> ([__m256i; 2], [__m256i; 2]) {
        let ones = self.avx._mm256_set1_pd(FRACTION as f64);
        let bits: __m256i = cast(ones);
        let [(low, low_rest), (high, high_rest)] = halves!(a, b => {
            let a = self.avx._mm256_sub_pd(cast(self.avx2._mm256_or_si256(a, bits)), ones);
            let b = self.avx._mm256_sub_pd(cast(self.avx2._mm256_or_si256(b, bits)), ones);
            let quotient = self.avx._mm256_floor_pd(self.avx._mm256_div_pd(a, b));
            let rest = self.avx._mm256_sub_pd(a, self.avx._mm256_mul_pd(quotient, b));
            // No function for both: it would not be compiled for the processor at hand.
            let quotient: __m256i = cast(self.avx._mm256_add_pd(quotient, ones));
            let rest: __m256i = cast(self.avx._mm256_add_pd(rest, ones));
            (self.avx2._mm256_xor_si256(quotient, bits), self.avx2._mm256_xor_si256(rest, bits))
        });
        ([low, high], [low_rest, high_rest])
    }

    /// Half bytes looked up in a table, and the bytes of a word added up (Muła, Kurz and Lemire,
    /// 2018).
    #[inline(always)]
    fn ones(self, a: [__m256i; 2]) -> [__m256i; 2] {
        let table: __m256i = cast([[0x0302_0201_0201_0100u64, 0x0403_0302_0302_0201]; 2]);
        let low = self.avx._mm256_set1_epi8(15);
        halves!(a => {
            let lower = self.avx2._mm256_shuffle_epi8(table, self.avx2._mm256_and_si256(a, low));
            let a = self.avx2._mm256_and_si256(self.avx2._mm256_srli_epi64::<4>(a), low);
            let bytes = self.avx2._mm256_add_epi8(lower, self.avx2._mm256_shuffle_epi8(table, a));
            self.avx2._mm256_sad_epu8(bytes, self.avx._mm256_setzero_si256())
        })
    }

    #[inline(always)]
    fn negative(self, a: [__m256i; 2]) -> [__m256i; 2] {
        self.less_signed(a, self.none())
    }

    #[inline(always)]
    fn nth(self, words: &[Lane8], k: &[Lane8], bits: &mut [Lane8], chunks: Chunks) {
        if *FINDS_BITS_FAST { deposited(words, k, bits, chunks) } else { self.nth_by_halves(words, k, bits, chunks) }
    }

    #[inline(always)]
    fn equal(self, a: [__m256i; 2], b: [__m256i; 2]) -> [__m256i; 2] {
        halves!(a, b => self.avx2._mm256_cmpeq_epi64(a, b))
    }

    #[inline(always)]
    fn less(self, a: [__m256i; 2], b: [__m256i; 2]) -> [__m256i; 2] {
        let top = self.all(1 << 63);
        self.less_signed(self.xor(a, top), self.xor(b, top))
    }

    #[inline(always)]
    fn less_signed(self, a: [__m256i; 2], b: [__m256i; 2]) -> [__m256i; 2] {
        halves!(a, b => self.avx2._mm256_cmpgt_epi64(b, a))
    }

    #[inline(always)]
    fn spread(self, bytes: u64) -> [__m256i; 2] {
        [self.avx2._mm256_cvtepu8_epi64(cast([bytes, 0])), self.avx2._mm256_cvtepu8_epi64(cast([bytes >> 32, 0]))]
    }

    #[inline(always)]
    fn gathered(self, a: [__m256i; 2]) -> u64 {
        let lowest = self.and(a, self.all(255));
        let [low, high] = self.up_each(lowest, cast([0u64, 8, 16, 24, 32, 40, 48, 56]));
        let [a, b, c, d]: [u64; 4] = cast(self.avx2._mm256_or_si256(low, high));
        a | b | c | d
    }

    #[inline(always)]
    fn any(self, [low, high]: [__m256i; 2]) -> bool {
        let both = self.avx2._mm256_or_si256(low, high);
        self.avx._mm256_testz_si256(both, both) == 0
    }
}
