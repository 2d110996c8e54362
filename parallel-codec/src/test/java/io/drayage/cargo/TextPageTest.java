package io.drayage.cargo;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.EOFException;
import java.io.ObjectInputStream;
import java.io.ObjectOutputStream;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class TextPageTest {
  private static final String[] TEXTS = {"", "a", "zwölf", "漢字", "😀", "abcdefghijklmnop", ""};

  @Test
  void keepsTextsAsTheirBytes() {
    TextPage page = TextPage.of(TEXTS);

    assertThat(page.rows()).isEqualTo(TEXTS.length);
    assertThat(page.toStrings()).isEqualTo(TEXTS);
    for (int row = 0; row < TEXTS.length; row++) {
      assertThat(page.get(row)).isEqualTo(TEXTS[row]);
      assertThat(page.length(row)).isEqualTo(utf8(TEXTS[row]).length);
    }
    assertThat(page.runs(0, TEXTS.length)).hasSize(1);
    assertThat(page.byteCount(1, 3)).isEqualTo(1 + 6 + 6);
  }

  @Test
  void sharesTheBytesItIsGiven() {
    byte[] bytes = utf8("__abcde");
    TextPage page = TextPage.of(bytes, new int[] {2, 3, 3, 7});

    assertThat(page.toStrings()).containsExactly("a", "", "bcde");
    assertThat(page.runs(0, 3).get(0).bytes()).isSameAs(bytes);
  }

  @Test
  void textsAreComparedAndHashedByTheirBytes() {
    TextPage page = TextPage.of("\uFFFD", "😀", "ab", "a", "", "b");
    TextPage inRuns = new TextPage(6);
    for (int row = 0; row < 6; row++) {
      inRuns.put(row, page, row, 1);
    }
    for (int one = 0; one < 6; one++) {
      for (int two = 0; two < 6; two++) {
        int order = Integer.signum(page.compare(one, inRuns, two));
        assertThat(order).isEqualTo(codePointOrder(page.get(one), inRuns.get(two)));
        assertThat(page.hash(one) == inRuns.hash(two)).isEqualTo(order == 0);
      }
      assertThat(inRuns.utf8(one)).isEqualTo(utf8(page.get(one)));
    }
  }

  private static int codePointOrder(String one, String two) {
    return Integer.signum(Arrays.compare(one.codePoints().toArray(), two.codePoints().toArray()));
  }

  @Test
  void readsTextsFromAStream() throws Exception {
    ByteArrayInputStream in = new ByteArrayInputStream(utf8("zwölfabc"));
    TextBuilder builder = new TextBuilder();
    builder.add(in, 6);
    builder.add(in, 0);
    assertThatThrownBy(() -> builder.add(in, 4))
        .isInstanceOf(EOFException.class)
        .hasMessage("a text of 4 bytes: the stream ends after 3");
    assertThat(builder.build().toStrings()).containsExactly("zwölf", "");
  }

  @Test
  void refusesOffsetsThatLie() {
    assertThatThrownBy(() -> TextPage.of(new byte[4], new int[] {0, 3, 2, 4}))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("text 1 begins at 3 and ends at 2");
    assertThatThrownBy(() -> TextPage.of(new byte[4], new int[] {0, 5}))
        .isInstanceOf(IndexOutOfBoundsException.class);
    assertThatThrownBy(() -> TextPage.of(new byte[4], new int[] {-1, 4}))
        .isInstanceOf(IndexOutOfBoundsException.class);
  }

  @ParameterizedTest
  @ValueSource(strings = {"\uD800", "a\uDC00", "\uDC00\uD800", "x\uD83Dx", "\uD83D\uD83D\uDE80"})
  void refusesUnpairedSurrogates(String text) {
    assertThatThrownBy(() -> TextPage.of("a", "", text))
        .isInstanceOf(IllegalTextException.class)
        .hasMessageStartingWith("the text in row 2 has an unpaired surrogate, U+D");
    assertThatThrownBy(() -> ColumnValues.ofTexts(new String[][] {{"a", null}, {text}}))
        .isInstanceOf(IllegalTextException.class)
        .hasMessageStartingWith("the text in row 2 has");
    ColumnBuilder builder = new ColumnBuilder(ColumnType.STRING).addString("a").addNull();
    assertThatThrownBy(() -> builder.addString(text))
        .isInstanceOf(IllegalTextException.class)
        .hasMessageStartingWith("the text in row 2 has");
    assertThat(builder.addString("b").build().toArray(String[].class))
        .containsExactly("a", null, "b");
  }

  /** The ill-formed sequences of the Unicode Standard, and similar well-formed ones. */
  @Test
  void refusesWhatTheDecoderOfTheJdkReplaces() {
    int[] leads = {0x00, 0x7F, 0x80, 0xBF, 0xC0, 0xC1, 0xC2, 0xDF, 0xE0, 0xE1, 0xEC, 0xED, 0xEE};
    int[] more = {0xEF, 0xF0, 0xF1, 0xF3, 0xF4, 0xF5, 0xFF};
    int[] bytes = IntStream.concat(Arrays.stream(leads), Arrays.stream(more)).toArray();
    int[] seconds = {0x00, 0x7F, 0x80, 0x8F, 0x90, 0x9F, 0xA0, 0xBF, 0xC0, 0xFF};
    for (int lead : bytes) {
      for (int second : seconds) {
        for (int third : new int[] {0x41, 0x80, 0xBF, 0xC2}) {
          for (int fourth : new int[] {0x41, 0x80, 0xBF}) {
            for (int length = 1; length <= 4; length++) {
              byte[] text = {(byte) lead, (byte) second, (byte) third, (byte) fourth};
              assertAgrees(Arrays.copyOf(text, length));
            }
          }
        }
      }
    }
  }

  private static void assertAgrees(byte[] text) {
    boolean wellFormed = Arrays.equals(utf8(new String(text, StandardCharsets.UTF_8)), text);
    String name = Arrays.toString(text);
    byte[] behind = Arrays.copyOf(utf8("0123456789ab"), 12 + text.length);
    System.arraycopy(text, 0, behind, 12, text.length);
    assertThat(isAccepted(text)).as(name).isEqualTo(wellFormed);
    assertThat(isAccepted(behind)).as(name).isEqualTo(wellFormed);
  }

  private static boolean isAccepted(byte[] text) {
    try {
      TextPage page = TextPage.of(text, new int[] {0, text.length});
      assertThat(utf8(page.get(0))).isEqualTo(text);
      new TextBuilder().add(ByteBuffer.wrap(text));
      return true;
    } catch (IllegalTextException e) {
      assertThatThrownBy(() -> new TextBuilder().add(text, 0, text.length))
          .isInstanceOf(IllegalTextException.class);
      return false;
    }
  }

  @Test
  void refusesACharacterThatIsCutInTwo() {
    byte[] text = utf8("a漢b");
    assertThatThrownBy(() -> TextPage.of(text, new int[] {0, 2, 5}))
        .isInstanceOf(IllegalTextException.class)
        .hasMessage("the text in row 0 is no well-formed UTF-8: byte 0xE6 at 1 of its 2 bytes");
  }

  @Test
  void textsThatAreNotPutAreEmpty() {
    TextPage page = new TextPage(10);
    page.put(6, TextPage.of("g", "h"));
    page.put(2, TextPage.of("c"));

    assertThat(page.toStrings()).containsExactly("", "", "c", "", "", "", "g", "h", "", "");
    assertThat(page.length(9)).isZero();
    assertThat(page.byteCount(2, 5)).isEqualTo(2);
    assertThat(page.runs(3, 2)).hasSize(1);
  }

  @Test
  void refusesRowsThatArePutTwice() {
    TextPage page = new TextPage(10);
    page.put(4, TextPage.of("e", "f"));

    for (int row : new int[] {3, 4, 5}) {
      assertThatThrownBy(() -> page.put(row, TextPage.of("x", "y")))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining("are put twice");
    }
  }

  @Test
  void threadsPutDifferentRows() {
    TextPage page = new TextPage(1_000);
    IntStream.range(0, 100)
        .parallel()
        .forEach(i -> page.put(10 * i, TextPage.of(numbers(10 * i, 10))));

    assertThat(page.toStrings()).isEqualTo(numbers(0, 1_000));
  }

  private static String[] numbers(int from, int count) {
    return IntStream.range(from, from + count).mapToObj(String::valueOf).toArray(String[]::new);
  }

  /** Compares with an array of strings. */
  @Test
  void replacesTexts() {
    for (int seed = 0; seed < 50; seed++) {
      SplittableRandom random = new SplittableRandom(seed);
      String[] expected = numbers(0, 300);
      TextPage page = TextPage.of(expected);
      for (int step = 0; step < 20; step++) {
        TextPage before = page.copyOf(300);
        String[] textsBefore = expected.clone();
        int[] rows = random.ints(1 + random.nextInt(40), 0, 300).distinct().sorted().toArray();
        String[] texts = new String[rows.length + 3];
        Arrays.setAll(texts, i -> "x".repeat(random.nextInt(9)));
        page.replace(rows, rows.length, TextPage.of(texts), 3);
        for (int i = 0; i < rows.length; i++) {
          expected[rows[i]] = texts[i + 3];
        }
        assertThat(page.toStrings()).as("seed %d", seed).isEqualTo(expected);
        assertThat(before.toStrings()).as("seed %d", seed).isEqualTo(textsBefore);
        assertThat(page.runs(0, 300).size()).as("seed %d", seed).isLessThanOrEqualTo(128);
      }
    }
  }

  @Test
  void aNewTextDoesNotKeepThoseBesideIt() {
    TextPage page = TextPage.of(numbers(0, 100));
    TextPage many = TextPage.of(numbers(0, 50_000));

    page.replace(new int[] {7, 30}, 2, many, 40_000);

    assertThat(page.get(7)).isEqualTo("40000");
    assertThat(page.get(30)).isEqualTo("40001");
    assertThat(heldBytes(page)).isLessThan(4_000);
  }

  /** Each replacement leaves one more text of the old arrays. */
  @Test
  void theLastTextsOfArraysDoNotKeepThem() {
    int rows = 20_000;
    TextPage page = TextPage.of(numbers(0, rows));
    for (int first = 1; first < 60; first++) {
      int from = first;
      int[] target = IntStream.range(from, rows).toArray();
      page.replace(target, target.length, TextPage.of(numbers(from * rows, target.length)), 0);
    }

    assertThat(page.get(0)).isEqualTo("0");
    assertThat(page.get(58)).isEqualTo(String.valueOf(58 * rows));
    assertThat(page.get(59)).isEqualTo(String.valueOf(59 * rows));
    assertThat(page.get(rows - 1)).isEqualTo(String.valueOf(60 * rows - 60));
    assertThat(heldBytes(page)).isLessThan(2 * (page.byteCount(0, rows) + 4L * rows) + (64 << 10));
  }

  private static long heldBytes(TextPage page) {
    IdentityHashMap<byte[], Integer> arrays = new IdentityHashMap<>();
    page.runs(0, page.rows()).forEach(run -> arrays.put(run.bytes(), run.bytes().length));
    return arrays.values().stream().mapToLong(Integer::longValue).sum();
  }

  @Test
  void slicesAreThoseOfAnArray() {
    List<String> expected = new ArrayList<>();
    TextBuilder builder = new TextBuilder();
    for (int i = 0; i < 200; i++) {
      String text = "t".repeat(i % 7) + i;
      expected.add(text);
      builder.add(text);
    }
    TextPage page = new TextPage(400);
    page.put(0, builder.build());
    for (int from = 0; from < 200; from += 13) {
      page.put(200 + from, page, from, Math.min(13, 200 - from));
    }
    expected.addAll(List.copyOf(expected));
    for (int from = 0; from < 400; from += 37) {
      for (int count : new int[] {0, 1, 5, 400 - from}) {
        List<String> read = new ArrayList<>();
        int end = Math.min(count, 400 - from);
        page.runs(from, end)
            .forEach(run -> IntStream.range(0, run.rows()).forEach(i -> read.add(run.get(i))));
        assertThat(read).isEqualTo(expected.subList(from, from + end));
      }
    }
    assertThat(page.copyOf(210).toStrings()).isEqualTo(expected.subList(0, 210).toArray());
  }

  @Test
  void survivesAnObjectStream() throws Exception {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (ObjectOutputStream out = new ObjectOutputStream(bytes)) {
      out.writeObject(ColumnValues.ofTexts(new String[][] {TEXTS, {"x", null}}));
    }
    ObjectInputStream in = new ObjectInputStream(new ByteArrayInputStream(bytes.toByteArray()));
    ColumnValues read = (ColumnValues) in.readObject();

    assertThat(read.texts(0).toStrings()).isEqualTo(TEXTS);
    assertThat(read.get(TEXTS.length + 1)).isNull();
  }

  private static byte[] utf8(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }
}
