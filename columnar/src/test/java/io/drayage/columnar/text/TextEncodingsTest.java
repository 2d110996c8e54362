package io.drayage.columnar.text;

import static io.drayage.internal.Texts.format;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.drayage.codec.Compressors;
import io.drayage.columnar.stream.EncodingTree;
import io.drayage.columnar.stream.Streams;
import io.drayage.columnar.stream.Zstandard;
import io.drayage.frame.ShipmentException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.HexFormat;
import java.util.Random;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

class TextEncodingsTest {
  private static final long SEED = 20_261_124;
  private static final int MAX_BYTES = 8 << 20;

  private static final int[] IDS = {
    DictionaryTexts.ID, PackedTexts.ID, TerminatedTexts.ID, TerminatedDictionary.ID, PatternTexts.ID
  };

  private final Streams streams = new RawStreams();
  private final ByteBuffer buffer =
      ByteBuffer.allocateDirect(MAX_BYTES).order(ByteOrder.LITTLE_ENDIAN);

  private final TextBytes bytes = new TextBytes();
  private final Zstandard zstd = new Zstandard(Compressors.ofName("zstd"));

  @AfterEach
  void close() {
    zstd.close();
  }

  private TextEncoding encoding(int id) {
    TerminatedTexts terminated = new TerminatedTexts(bytes, zstd);
    return switch (id) {
      case DictionaryTexts.ID -> new DictionaryTexts();
      case PackedTexts.ID -> new PackedTexts();
      case TerminatedTexts.ID -> terminated;
      case TerminatedDictionary.ID -> new TerminatedDictionary(bytes, terminated, zstd);
      case PatternTexts.ID -> new PatternTexts(bytes);
      default -> throw new IllegalArgumentException("no encoding " + id);
    };
  }

  @ParameterizedTest
  @EnumSource
  void textsComeBackAsTheyWere(TextSamples kind) throws Exception {
    assertComeBack(kind, 0, 1, 2, 63, 64, 65, 1_025, 3_000);
  }

  @Tag("nightly")
  @ParameterizedTest
  @EnumSource
  void manyTextsComeBackAsTheyWere(TextSamples kind) throws Exception {
    assertComeBack(kind, 255, 256, 1_023, 1_024, 65_535, 65_536);
  }

  private void assertComeBack(TextSamples kind, int... counts) throws Exception {
    for (int id : IDS) {
      TextEncoding encoding = encoding(id);
      for (int count : counts) {
        @Nullable String[] texts = kind.make(count, SEED);
        boolean written = write(encoding, texts);
        assertThat(written || id != PackedTexts.ID).isTrue();
        if (written) {
          String what = format("%d: %,d, seed %d", id, count, SEED);
          assertThat(read(encoding, count)).as(what).isEqualTo(texts);
        }
      }
    }
  }

  private boolean write(TextEncoding encoding, @Nullable String[] texts) {
    buffer.clear();
    bytes.begin(texts);
    if (encoding instanceof PatternTexts && !bytes.fill(texts.length)) {
      return false;
    }
    boolean written = encoding.write(texts, texts.length, streams, buffer);
    buffer.flip();
    return written;
  }

  private @Nullable String[] read(TextEncoding encoding, int count) throws ShipmentException {
    @Nullable String[] target = new String[count];
    encoding.read(buffer, count, streams, target);
    assertThat(buffer.hasRemaining()).isFalse();
    return target;
  }

  @ParameterizedTest
  @EnumSource(names = {"ONE_TEXT", "NULL_ONLY", "FEW_TEXTS", "FEW_TEXTS_AND_NULLS", "SKEWED"})
  void aDictionaryTakesTextsThatRepeat(TextSamples kind) {
    int expected = kind == TextSamples.NULL_ONLY ? 0 : 1;
    assertThat(write(encoding(DictionaryTexts.ID), kind.make(8_192, SEED)) ? 1 : 0)
        .isEqualTo(expected);
  }

  @ParameterizedTest
  @EnumSource(names = {"UNIQUE", "UNIQUE_AND_NULLS", "SOME_WIDE"})
  void aDictionaryRefusesTextsThatDoNot(TextSamples kind) {
    assertThat(write(encoding(DictionaryTexts.ID), kind.make(8_192, SEED))).isFalse();
  }

  @Test
  void rowsWithTheSameTextShareIt() throws Exception {
    TextEncoding dictionary = encoding(DictionaryTexts.ID);
    @Nullable String[] texts = TextSamples.FEW_TEXTS.make(200, SEED);
    assertThat(write(dictionary, texts)).isTrue();
    @Nullable String[] read = read(dictionary, texts.length);
    for (int i = 0; i < read.length; i++) {
      for (int k = 0; k < 100; k++) {
        if (texts[i] != null && texts[i].equals(texts[k])) {
          assertThat(read[i]).isSameAs(read[k]);
        }
      }
    }
  }

  @ParameterizedTest
  @ValueSource(
      ints = {DictionaryTexts.ID, PackedTexts.ID, TerminatedTexts.ID, TerminatedDictionary.ID})
  void refusesBytesThatEndTooEarlyAndBytesThatGoOn(int id) {
    TextEncoding encoding = encoding(id);
    for (TextSamples kind :
        new TextSamples[] {TextSamples.FEW_TEXTS_AND_NULLS, TextSamples.ONE_TEXT}) {
      assertThat(write(encoding, kind.make(100, SEED))).isTrue();
      int length = buffer.limit();
      for (int end = 0; end <= length + 1; end++) {
        buffer.limit(end).position(0);
        if (end != length) {
          assertThatThrownBy(() -> read(encoding, 100))
              .as("%d of %d bytes", end, length)
              .isInstanceOf(ShipmentException.class);
        }
      }
    }
  }

  @ParameterizedTest
  @ValueSource(
      ints = {DictionaryTexts.ID, PackedTexts.ID, TerminatedTexts.ID, TerminatedDictionary.ID})
  void aFlippedBitIsRefusedOrGivesOtherTexts(int id) {
    assertThat(write(encoding(id), TextSamples.FEW_TEXTS_AND_NULLS.make(70, SEED))).isTrue();
    TextEncoding encoding = encoding(id);
    int length = buffer.limit();
    int refused = 0;
    for (int bit = 0; bit < length * 8; bit++) {
      flip(bit);
      buffer.clear().limit(length);
      try {
        encoding.read(buffer, 70, streams, new String[70]);
      } catch (ShipmentException e) {
        refused++;
      }
      flip(bit);
    }
    assertThat(refused).isPositive();
  }

  private void flip(int bit) {
    buffer.put(bit >>> 3, (byte) (buffer.get(bit >>> 3) ^ 1 << (bit & 7)));
  }

  @ParameterizedTest
  @ValueSource(ints = {17, 18, 28, 29, 30})
  void noiseIsRefusedOrGivesTexts(int id) {
    assertNoiseIsHarmless(id, 2_000);
  }

  @Tag("nightly")
  @ParameterizedTest
  @ValueSource(ints = {17, 18, 28, 29, 30})
  void muchNoiseIsRefusedOrGivesTexts(int id) {
    assertNoiseIsHarmless(id, 20_000);
  }

  private void assertNoiseIsHarmless(int id, int rounds) {
    TextEncoding encoding = encoding(id);
    Random random = new Random(SEED);
    byte[] noise = new byte[256];
    for (int round = 0; round < rounds; round++) {
      random.nextBytes(noise);
      buffer.clear().put(noise).putInt(0, random.nextInt(5)).putInt(4, random.nextInt(5)).flip();
      try {
        encoding.read(buffer, 3, streams, new String[3]);
      } catch (ShipmentException e) {
        assertThat(e).hasMessageMatching(".*\\d.*");
      }
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"ffffffff", "04000000", "00010000", "00000080"})
  void refusesUnknownFlags(String flags) {
    fill(flags + "00000000");
    assertThatThrownBy(() -> read(new PackedTexts(), 0))
        .isInstanceOf(ShipmentException.class)
        .hasMessageContaining("flags");
  }

  private void fill(String hex) {
    buffer.clear();
    buffer.put(HexFormat.of().parseHex(hex)).flip();
  }

  @ParameterizedTest
  @ValueSource(strings = {"00000000", "ffffffff", "04000000", "ffffff7f"})
  void refusesADictionaryWithMoreTextsThanRowsOrNone(String entries) {
    fill(entries + "00000000");
    assertThatThrownBy(() -> read(encoding(DictionaryTexts.ID), 3))
        .isInstanceOf(ShipmentException.class)
        .hasMessageContaining("3 rows");
  }

  @ParameterizedTest
  @ValueSource(strings = {"ffffffff", "02000000", "00000080"})
  void refusesACodeBehindTheDictionary(String code) {
    fill(
        "02000000"
            + "00000000"
            + "02000000"
            + "01000000"
            + "01000000"
            + "6162"
            + "01000000"
            + code);
    assertThatThrownBy(
            () -> encoding(DictionaryTexts.ID).read(buffer, 2, new OneCode(), new String[2]))
        .isInstanceOf(ShipmentException.class)
        .hasMessageContaining("code");
  }

  /** Reads one integer as two. */
  private static final class OneCode extends RawStreams {
    @Override
    public EncodingTree readInts(ByteBuffer source, int count, int[] target)
        throws ShipmentException {
      int stated = source.getInt(source.position());
      EncodingTree tree = super.readInts(source, stated, target);
      target[count - 1] = target[stated - 1];
      return tree;
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"ffffffff", "ffffff7f", "03000000"})
  void refusesALengthThatTheBytesDoNotHave(String length) {
    fill("00000000" + "01000000" + length + "6162");
    assertThatThrownBy(() -> read(new PackedTexts(), 1)).isInstanceOf(ShipmentException.class);
  }

  @Test
  void failsIfThereIsNoSpace() {
    TextEncoding packed = new PackedTexts();
    TextEncoding dictionary = encoding(DictionaryTexts.ID);
    for (TextSamples kind : new TextSamples[] {TextSamples.FEW_TEXTS, TextSamples.SOME_WIDE}) {
      @Nullable String[] texts = kind.make(100, SEED);
      assertThat(write(packed, texts)).isTrue();
      int length = buffer.limit();
      for (int space = 0; space < length; space++) {
        ByteBuffer tight = ByteBuffer.allocate(space).order(ByteOrder.LITTLE_ENDIAN);
        bytes.begin(texts);
        assertThat(packed.write(texts, 100, streams, tight)).isFalse();
        assertThat(dictionary.write(texts, 100, streams, tight)).isIn(space > 100 * 4, false);
      }
    }
  }

  @Test
  void packedTextsHaveTheseBytes() {
    write(new PackedTexts(), new @Nullable String[] {"ab", null, "\u00E9", ""});
    assertThat(hex())
        .isEqualTo(
            "02000000" + "04000000" + "03000000" + "00000000" + "02000000" + "01000000" + "6162e9");
    write(new PackedTexts(), new @Nullable String[] {"ab", "\u2013"});
    assertThat(hex())
        .isEqualTo("01000000" + "02000000" + "04000000" + "03000000" + "6162" + "1320");
  }

  @Test
  void aDictionaryHasTheseBytes() {
    @Nullable String[] texts = new String[64];
    for (int i = 0; i < texts.length; i++) {
      texts[i] = i % 2 == 0 ? "an even row, whatever" : "an odd row";
    }
    write(encoding(DictionaryTexts.ID), texts);
    assertThat(hex())
        .isEqualTo(
            "02000000"
                + "00000000"
                + "02000000"
                + "15000000"
                + "0a000000"
                + "616e206576656e20726f772c207768617465766572"
                + "616e206f646420726f77"
                + "40000000"
                + "0000000001000000".repeat(32));
  }

  @Test
  void terminatedTextsHaveTheseBytes() {
    write(
        encoding(TerminatedTexts.ID),
        new @Nullable String[] {"ab", null, "\u00E9", "", "\u2013\uD83D\uDE00"});
    assertThat(hex())
        .isEqualTo(
            "11000000" + "11000000" + "616200" + "0200" + "e900" + "00" + "01e28093f09f988000");
  }

  @Test
  void aTerminatedDictionaryHasTheseBytes() {
    write(encoding(TerminatedDictionary.ID), new @Nullable String[] {"a", "b", "b", "a"});
    assertThat(hex())
        .isEqualTo(
            "02000000"
                + "04000000"
                + "04000000"
                + "61006200"
                + "00000000"
                + "04000000"
                + "00000000010000000100000000000000");
  }

  @Test
  void textsOfAPatternHaveTheseBytes() {
    write(encoding(PatternTexts.ID), new @Nullable String[] {"1-a", "9-b"});
    assertThat(hex())
        .isEqualTo("03" + "0a30313233343536373839" + "012d" + "10" + HEX_DIGITS + "1a" + "9b");
  }

  /** Two of 10 and 16 characters: 1 * 16 + 10 and 9 * 16 + 11, of 8 bits. */
  private static final String HEX_DIGITS = "30313233343536373839616263646566";

  @Test
  void whatBytesCannotTellApartIsRefused() {
    for (String text : new String[] {"a\u0000", "\u0001", "\u0002", "\u2013\u0000", "\uD800"}) {
      assertThat(write(encoding(TerminatedTexts.ID), new @Nullable String[] {"before", text, "z"}))
          .as(text)
          .isFalse();
    }
  }

  @Test
  void aDictionaryTellsApartWhatSharesBytes() throws Exception {
    TextEncoding dictionary = encoding(TerminatedDictionary.ID);
    @Nullable String[] texts = new String[400];
    for (int i = 0; i < texts.length; i++) {
      texts[i] = "x".repeat(i % 20) + (i % 3 == 0 ? "\u00E9" : i % 3 == 1 ? "\u20AC" : "");
    }
    assertThat(write(dictionary, texts)).isTrue();
    assertThat(read(dictionary, texts.length)).isEqualTo(texts);
  }

  @Test
  void aDictionaryTellsApartWhatSharesLowBytes() throws Exception {
    String same = "longer than a code of it ";
    @Nullable String[] some = {
      same + "A", same + "\u0141", "", null, same + "A\u0000", same + "\u0141\u0000"
    };
    @Nullable String[] texts = new String[1_000];
    for (int i = 0; i < texts.length; i++) {
      // Runs, and then all mixed.
      texts[i] = some[(i < 500 ? i / 50 : i) % some.length];
    }
    TextEncoding dictionary = encoding(DictionaryTexts.ID);
    assertThat(write(dictionary, texts)).isTrue();
    assertThat(read(dictionary, texts.length)).isEqualTo(texts);
    assertThat(write(encoding(TerminatedDictionary.ID), texts)).isFalse();
  }

  @Test
  void numbersOfAPatternMayBeFarApart() throws Exception {
    Random random = new Random(SEED);
    @Nullable String[] texts = new String[200];
    for (int i = 0; i < texts.length; i++) {
      texts[i] =
          format(
              "%d is %d, %d, but not %d",
              random.nextInt(10), random.nextInt(10), random.nextInt(10), random.nextInt(10));
    }
    TextEncoding pattern = encoding(PatternTexts.ID);
    assertThat(write(pattern, texts)).isTrue();
    assertThat(read(pattern, texts.length)).isEqualTo(texts);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "00",
        "41",
        "02" + "0161" + "00",
        "02" + "0161" + "026261",
        "02" + "0161" + "026262",
        "02" + "0161" + "036162",
        "01" + "0461626364" + "0000",
        "01" + "03616263" + "030000",
        "01" + "03616263" + "0000"
      })
  void refusesWhatIsNoPattern(String hex) {
    fill(hex);
    assertThatThrownBy(() -> read(encoding(PatternTexts.ID), 3))
        .isInstanceOf(ShipmentException.class)
        .hasMessageMatching(".*\\d.*");
  }

  @Test
  void refusesMoreCharactersThanAFrameMayCarry() {
    fill("40" + "0161".repeat(64)); // Texts without a byte of their own.
    assertThatThrownBy(() -> read(encoding(PatternTexts.ID), 1 << 20))
        .isInstanceOf(ShipmentException.class)
        .hasMessageContaining("characters of texts of 67,108,864");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "00000000" + "00000000",
        "03000000" + "03000000" + "000000",
        "04000000" + "04000000" + "61006200",
        "04000000" + "04000000" + "61626364",
        "06000000" + "04000000" + "61006200",
        "ffffff7f" + "04000000" + "61006200",
        "04000000" + "ffffffff" + "61006200",
        "04000000" + "05000000" + "6100620000",
        "03000000" + "03000000" + "024100"
      })
  void refusesBytesThatAreNotAsManyTexts(String hex) {
    fill(hex);
    assertThatThrownBy(() -> read(encoding(TerminatedTexts.ID), 1))
        .isInstanceOf(ShipmentException.class)
        .hasMessageMatching(".*\\d.*");
  }

  private String hex() {
    byte[] bytes = new byte[buffer.remaining()];
    buffer.get(bytes);
    return HexFormat.of().formatHex(bytes);
  }
}
