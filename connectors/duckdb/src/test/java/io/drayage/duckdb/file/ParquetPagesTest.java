package io.drayage.duckdb.file;

import static org.assertj.core.api.Assertions.assertThat;

import io.drayage.tables.TableException;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.Objects;
import java.util.function.Consumer;
import org.apache.parquet.format.ColumnChunk;
import org.apache.parquet.format.FileMetaData;
import org.apache.parquet.format.PageHeader;
import org.apache.parquet.format.Util;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests checksums of pages in files from the script {@code parquet.py} in this folder. */
final class ParquetPagesTest {
  @TempDir private Path folder;

  /** Pages of data of versions 1 and 2, and of a dictionary. */
  @ParameterizedTest
  @ValueSource(strings = {"checksums-1.parquet", "checksums-2.parquet"})
  void findsEachFlippedBitOfAPage(String name) throws Exception {
    Path intact =
        Path.of(Objects.requireNonNull(ParquetPagesTest.class.getResource("/" + name)).toURI());
    BitSet inPages = new BitSet();
    List<String> kinds = new ArrayList<>();
    try (ParquetPages pages = ParquetPages.open(intact)) {
      pages.requireIntact("t", column -> true);
      FileMetaData footer = Objects.requireNonNull(pages.footer());
      for (ColumnChunk chunk : footer.getRow_groups().get(0).getColumns()) {
        long end =
            pages.walk(
                "t",
                chunk.getMeta_data(),
                (header, at) -> {
                  kinds.add(header.getType() + " " + header.isSetCrc());
                  inPages.set((int) at, (int) at + header.getCompressed_page_size());
                });
        assertThat(end).isLessThan(Files.size(intact));
      }
    }
    String data = name.contains("1") ? "DATA_PAGE true" : "DATA_PAGE_V2 true";
    assertThat(kinds).containsExactly(data, "DICTIONARY_PAGE true", data);

    byte[] bytes = Files.readAllBytes(intact);
    Path file = folder.resolve("t.parquet");
    for (int at = inPages.nextSetBit(0); at >= 0; at = inPages.nextSetBit(at + 1)) {
      bytes[at] ^= (byte) (1 << at % Byte.SIZE);
      Files.write(file, bytes);
      bytes[at] ^= (byte) (1 << at % Byte.SIZE);
      String message = "";
      try (ParquetPages pages = ParquetPages.open(file)) {
        pages.requireIntact("t", column -> true);
      } catch (TableException e) {
        message = String.valueOf(e.getMessage());
      }
      assertThat(message)
          .as("a bit of byte %d", at)
          .matches(
              "table 't', column '[as]': .*t\\.parquet is damaged: the checksum of the page at byte \\d+ is [0-9a-f]{8}, not [0-9a-f]{8} as the page says");
    }
  }

  /** The next column's page, or garbage, would be read as the rest of the first column. */
  @ParameterizedTest
  @ValueSource(strings = {"checksums-1.parquet", "checksums-2.parquet"})
  void refusesAHeaderThatCountsOtherValues(String name) throws Exception {
    for (int values : new int[] {1, 2, 3, 5, 8}) {
      assertThat(changed(name, header -> count(header, values)))
          .matches(
              "table 't', column 'a': .*t\\.parquet is damaged: its pages have \\d+ values?, but the footer says 4");
    }
  }

  /**
   * The header alone says where values begin; the levels of the first column have 0 and 2 bytes.
   */
  @Test
  void refusesAHeaderWhoseLevelsEndElsewhere() throws Exception {
    for (int[] bytes : new int[][] {{1, 2}, {2, 2}, {1, 1}, {0, 1}, {0, 3}, {60, 2}, {0, -1}}) {
      Consumer<PageHeader> change =
          header -> {
            header.getData_page_header_v2().setRepetition_levels_byte_length(bytes[0]);
            header.getData_page_header_v2().setDefinition_levels_byte_length(bytes[1]);
          };
      assertThat(changed("checksums-2.parquet", change))
          .as("%d and %d bytes", bytes[0], bytes[1])
          .matches(
              "table 't', column 'a': .*t\\.parquet is damaged: the page at byte \\d+ has %s bytes? of repetition levels and %s bytes? of definition levels, which are not those of 4 values"
                  .formatted(bytes[0], bytes[1]));
    }
  }

  private static void count(PageHeader header, int values) {
    if (header.isSetData_page_header()) {
      header.getData_page_header().setNum_values(values);
    } else {
      header.getData_page_header_v2().setNum_values(values);
    }
  }

  /** Returns the refusal of a file whose first page has another header, of the same length. */
  private String changed(String name, Consumer<PageHeader> change) throws Exception {
    byte[] bytes =
        Files.readAllBytes(
            Path.of(
                Objects.requireNonNull(ParquetPagesTest.class.getResource("/" + name)).toURI()));
    int start = 4;
    PageHeader header =
        Util.readPageHeader(new ByteArrayInputStream(bytes, start, bytes.length - start));
    int length = written(header).length;
    change.accept(header);
    byte[] after = written(header);
    assertThat(after).hasSize(length);
    System.arraycopy(after, 0, bytes, start, length);
    try (ParquetPages pages = ParquetPages.open(Files.write(folder.resolve("t.parquet"), bytes))) {
      pages.requireIntact("t", column -> true);
      return "read";
    } catch (TableException e) {
      return String.valueOf(e.getMessage());
    }
  }

  private static byte[] written(PageHeader header) throws Exception {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    Util.writePageHeader(header, out);
    return out.toByteArray();
  }
}
