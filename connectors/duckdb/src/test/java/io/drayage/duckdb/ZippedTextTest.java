package io.drayage.duckdb;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.github.luben.zstd.Zstd;
import io.drayage.tables.DeclaredTypes;
import io.drayage.tables.TableException;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.zip.CRC32;
import java.util.zip.GZIPOutputStream;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Each member of a gzip file is read whole, or the file is refused, so that no row is lost. */
@Timeout(180)
final class ZippedTextTest {
  private static final int HEADER_BYTES = 10;
  private static final int TRAILER_BYTES = 8;

  /** The empty member at the end of each file of bgzip. */
  private static final String BGZIP_END =
      "1f8b08040000000000ff0600424302001b0003000000000000000000";

  @TempDir private Path folder;

  static byte[] zipped(String text) throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (OutputStream out = new GZIPOutputStream(bytes)) {
      out.write(text.getBytes(StandardCharsets.UTF_8));
    }
    return bytes.toByteArray();
  }

  private static byte[] joined(byte[]... parts) {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    for (byte[] part : parts) {
      bytes.writeBytes(part);
    }
    return bytes.toByteArray();
  }

  private Path file(String name, byte[]... parts) throws IOException {
    return Files.write(folder.resolve(name), joined(parts));
  }

  private static List<String> values(Path file) throws IOException {
    return Imported.text(file, DeclaredTypes.NONE).only();
  }

  private static ThrowingCallable reading(Path file) {
    return () -> Imported.text(file, DeclaredTypes.NONE);
  }

  @ParameterizedTest
  @CsvSource({
    "t.csv.gz,    a~1~,          2~",
    "t.tsv.gz,    a~1~,          2~",
    "t.json.gz,   '{\"a\":1}~',  '{\"a\":2}~'",
    "t.jsonl.gz,  '{\"a\":1}~',  '{\"a\":2}~'",
    "t.ndjson.gz, '{\"a\":1}~',  '{\"a\":2}~'",
  })
  void refusesAMemberThatIsCutAnywhere(String name, String first, String last) throws Exception {
    byte[] whole = zipped(first.replace('~', '\n'));
    byte[] cut = zipped(last.replace('~', '\n'));
    assertThat(values(file(name, whole, cut))).containsExactly("1", "2");
    assertThat(name.startsWith("t.csv") ? cut.length : 22).isEqualTo(22);
    for (int length = 1; length < cut.length; length++) {
      Path file = file(name, whole, Arrays.copyOf(cut, length));
      assertThatThrownBy(reading(file))
          .as("%d bytes", length)
          .isInstanceOf(TableException.class)
          .hasMessageStartingWith(
              "%s: its gzip is cut off or damaged, in the member that begins at offset %d: ",
              file, whole.length);
    }
    for (int length = 2; length < whole.length; length++) {
      Path file = file(name, Arrays.copyOf(whole, length));
      assertThatThrownBy(reading(file))
          .hasMessage(
              "%s: its gzip is cut off or damaged, in the member that begins at offset 0: the file ends before the member does",
              file);
    }
  }

  /** RFC 1952 defines the meaning of a flipped bit of a header. */
  @Test
  void refusesEachFlippedBitThatIsLookedAt() throws Exception {
    byte[] whole = zipped("a\n1\n");
    byte[] last = zipped("2\n");
    for (int bit = 0; bit < last.length * Byte.SIZE; bit++) {
      byte[] flipped = last.clone();
      int at = bit / Byte.SIZE;
      flipped[at] ^= (byte) (1 << (bit % Byte.SIZE));
      Path file = file("t.csv.gz", whole, flipped);
      boolean isTextFlag = at == 3 && bit % Byte.SIZE == 0;
      boolean isTimeOrSystem = at > 3 && at < HEADER_BYTES;
      boolean isPadding = at == last.length - TRAILER_BYTES - 1; // Deflate ends within this byte.
      if (isTextFlag || isTimeOrSystem) {
        assertThat(values(file)).as("bit %d", bit).containsExactly("1", "2");
      } else if (isPadding) {
        try {
          assertThat(values(file)).as("bit %d", bit).containsExactly("1", "2");
        } catch (TableException e) {
          assertThat(e).hasMessageContaining("its gzip is cut off or damaged");
        }
      } else {
        assertThatThrownBy(reading(file))
            .as("bit %d", bit)
            .isInstanceOf(TableException.class)
            .hasMessageMatching(
                at < 2
                    ? ".*(other bytes follow the end of its gzip|its gzip is cut off or damaged).*"
                    : ".*its gzip is cut off or damaged.*");
      }
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"6a756e6b", "0a", "00000000006a", "000000001f8b08", "504b0304", "1e8b0800"})
  void refusesWhatIsNoMemberBehindTheLastOne(String hex) throws Exception {
    byte[] whole = zipped("a\n1\n");
    byte[] junk = HexFormat.of().parseHex(hex);
    int zeros = 0;
    while (junk[zeros] == 0) {
      zeros++;
    }
    Path file = file("t.csv.gz", whole, junk);
    assertThatThrownBy(reading(file))
        .isInstanceOf(TableException.class)
        .hasMessage(
            "%s: other bytes follow the end of its gzip, from offset %d on (0x%s): remove them, because they would be lost",
            file, whole.length + zeros, hex.substring(2 * zeros));
  }

  @Test
  void readsMembersAndZerosBehindThem() throws Exception {
    byte[] whole = zipped("a\n1\n");
    assertThat(values(file("t.csv.gz", whole, new byte[1]))).containsExactly("1");
    assertThat(values(file("t.csv.gz", whole, new byte[200_000]))).containsExactly("1");
    assertThat(values(file("t.csv.gz", zipped(""), whole, zipped(""), zipped("2\n3"), zipped("4"))))
        .containsExactly("1", "2", "34");
    byte[] end = HexFormat.of().parseHex(BGZIP_END);
    assertThat(values(file("t.csv.gz", whole, end))).containsExactly("1");
  }

  /** A header may have extra bytes, a name, a comment, and its own checksum. */
  @Test
  void readsAWholeHeaderAndComparesItsChecksum() throws Exception {
    byte[] whole = zipped("a\n1\n");
    byte[] last = zipped("2\n");
    last[3] = 2 | 4 | 8 | 16;
    byte[] extra = {3, 0, 'a', 'b', 'c'};
    byte[] texts = "n\u00e9.csv\0of it\0".getBytes(StandardCharsets.ISO_8859_1);
    byte[] header = joined(Arrays.copyOf(last, HEADER_BYTES), extra, texts);
    byte[] rest = Arrays.copyOfRange(last, HEADER_BYTES, last.length);
    CRC32 crc = new CRC32();
    crc.update(header);
    byte[] checksum = {(byte) crc.getValue(), (byte) (crc.getValue() >> 8)};
    assertThat(values(file("t.csv.gz", whole, header, checksum, rest))).containsExactly("1", "2");
    for (int at = 0; at < header.length; at++) {
      byte[] flipped = header.clone();
      flipped[at] ^= 1;
      Path file = file("t.csv.gz", whole, flipped, checksum, rest);
      assertThatThrownBy(reading(file)).as("byte %d", at).isInstanceOf(TableException.class);
      Path cut = file("t.csv.gz", whole, Arrays.copyOf(header, at + 1));
      assertThatThrownBy(reading(cut)).as("cut at %d", at).hasMessageContaining("is cut off");
    }
    checksum[1] ^= 1;
    Path wrong = file("t.csv.gz", whole, header, checksum, rest);
    assertThatThrownBy(reading(wrong))
        .hasMessage(
            "%s: its gzip is cut off or damaged, in the member that begins at offset %d: the checksum of its header differs",
            wrong, whole.length);
  }

  /** DuckDB reads checksum and length, but does not compare them. */
  @ParameterizedTest
  @CsvSource({"4, its length differs", "8, its checksum differs"})
  void looksAtTheFilesOfAQuery(int fromEnd, String reason) throws Exception {
    byte[] whole = zipped("a\n1\n");
    byte[] last = zipped("2\n");
    Path file = file("t.csv.gz", whole, last);
    String select = "SELECT * FROM '%s'".formatted(file);
    assertThat(Imported.select(select).only()).containsExactly("1", "2");
    last[last.length - fromEnd] ^= 1;
    file("t.csv.gz", whole, last);
    assertThatThrownBy(() -> Imported.select(select))
        .isInstanceOf(TableException.class)
        .hasMessage(
            "%s: its gzip is cut off or damaged, in the member that begins at offset %d: %s",
            file, whole.length, reason);
  }

  /** DuckDB reads the end of the file as the end of the rows. */
  @Test
  void looksForTheEndOfEachZstandardFrameOfAQuery() throws Exception {
    byte[] whole = Zstd.compress("a\n1\n".getBytes(StandardCharsets.UTF_8));
    byte[] cut = Zstd.compress("23456789\n".getBytes(StandardCharsets.UTF_8));
    Path file = file("t.csv.zst", whole, cut);
    String select = "SELECT * FROM '%s'".formatted(file);
    assertThat(Imported.select(select).only()).containsExactly("1", "23456789");
    for (int length = 1; length < cut.length; length++) {
      file("t.csv.zst", whole, Arrays.copyOf(cut, length));
      assertThatThrownBy(() -> Imported.select(select))
          .as("%d bytes", length)
          .isInstanceOf(TableException.class);
    }
    assertThatThrownBy(() -> Imported.select(select))
        .hasMessage("%s: its Zstandard frames are cut off or damaged: Truncated source", file);
  }

  @Test
  void saysThatAFileIsCompressedTwice() throws Exception {
    ByteArrayOutputStream twice = new ByteArrayOutputStream();
    try (OutputStream out = new GZIPOutputStream(twice)) {
      out.write(zipped("a\n1\n"));
    }
    Path file = file("t.csv.gz", twice.toByteArray());
    assertThatThrownBy(reading(file))
        .hasMessage(file + ": it is compressed by gzip twice: use gzip -d once");
  }

  /** Members may begin anywhere in the buffers. */
  @Test
  void readsManyMembers() throws Exception {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    bytes.writeBytes(zipped("a\n"));
    int rows = 0;
    for (int i = 0; i < 1_000; i++) {
      StringBuilder text = new StringBuilder();
      for (int row = 0; row < i % 50; row++) {
        text.append(rows++).append('\n');
      }
      bytes.writeBytes(zipped(text.toString()));
    }
    List<String> values = values(file("t.csv.gz", bytes.toByteArray()));
    assertThat(values).hasSize(rows).first().isEqualTo("0");
    assertThat(values.get(rows - 1)).isEqualTo(String.valueOf(rows - 1));
  }
}
