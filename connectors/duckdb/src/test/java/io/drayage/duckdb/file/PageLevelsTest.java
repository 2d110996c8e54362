package io.drayage.duckdb.file;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HexFormat;
import java.util.List;
import org.apache.parquet.format.DataPageHeaderV2;
import org.apache.parquet.format.Encoding;
import org.apache.parquet.format.FieldRepetitionType;
import org.apache.parquet.format.PageHeader;
import org.apache.parquet.format.PageType;
import org.apache.parquet.format.SchemaElement;
import org.apache.parquet.format.Type;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class PageLevelsTest {
  @TempDir private Path folder;

  /**
   * Splits pages where their headers say that levels end. The highest levels of the column and the
   * bits of its values come first. A run of n equal levels begins with 2n, groups of n times 8
   * levels with 2n + 1.
   */
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        // The levels of rle_boolean_encoding.parquet in apache/parquet-testing.
        "0 1 1  | RLE   | 68 | 6 | 8801     | 07fb7f7f1c0109fefbbf3f | 01000000 ff       |",
        "0 1 64 | PLAIN | 2  | 1 |          | 0302                   | 0800000000000000  |",
        "0 1 64 | PLAIN | 1  | 0 | 02       | 0201                   | 0800000000000000  |",
        "0 0 64 | PLAIN | 1  | 0 | 02       | 03                     | 0800000000000000  |",
        "0 0 1  | PLAIN | 9  | 0 | 12       |                        | ff01              |",
        "0 0 0  | PLAIN | 1  | 0 | 02       |                        | 0100000061        |",
        "0 0 64 | PLAIN | 0  | 0 | 00       |                        |                   |",
        "0 3 64 | PLAIN | 1  | 0 |          | 0203                   | 0800000000000000  |",
        "1 3 64 | PLAIN | 9  | 8 | 02001001 | 0503000000             | 0800000000000000  |",
        // One byte of each page belongs to its next part.
        "0 1 64 | PLAIN | 2  | 1 | 03       | 0208                   | 00000000000000    | levels",
        "0 1 64 | PLAIN | 2  | 1 |          | 030208                 | 00000000000000    | levels",
        "0 1 64 | PLAIN | 2  | 1 |          | 03                     | 020800000000000000 | levels",
        "0 1 64 | PLAIN | 3  | 1 | 03       | 0303                   | 000000000000000200000000000000 | 15 bytes",
        "0 0 64 | PLAIN | 1  | 0 | 08       |                        | 00000000000000    | levels",
        "0 0 64 | PLAIN | 1  | 0 | 05       |                        | 00000000000000    | levels",
        "0 0 64 | PLAIN | 4  | 0 | 08       |                        | 00000000000000020000000000000003000000000000000400000000000000 | 31 bytes",
        "0 0 64 | PLAIN | 4  | 0 |          | 08                     | 00000000000000020000000000000003000000000000000400000000000000 | 31 bytes",
        "0 0 1  | PLAIN | 9  | 0 | 12       |                        | ff                | 1 byte",
        "1 1 64 | PLAIN | 1  | 0 | 02       | 000201                 | 0800000000000000  | levels",
        "0 1 64 | PLAIN | 1  | 0 |          |                        | 02010800000000000000 | levels",
        "0 1 64 | PLAIN | 1  | 0 |          | ffffffffff             | 00                | levels",
      })
  void saysWhereLevelsAreNotThoseOfTheValues(
      String column,
      Encoding encoding,
      int values,
      int nulls,
      String repetition,
      String definition,
      String rest,
      String reason)
      throws Exception {
    byte[] repeated = hex(repetition);
    byte[] defined = hex(definition);
    String all = repetition + definition + rest;
    String wrong =
        misfit(
            column,
            hex(all.replace("null", "")),
            new DataPageHeaderV2(values, nulls, values, encoding, defined.length, repeated.length));
    if (reason == null) {
      assertThat(wrong).isEmpty();
    } else if (reason.equals("levels")) {
      assertThat(wrong)
          .matches(
              "%s bytes? of repetition levels and %s bytes? of definition levels, which are not those of %s values?"
                  .formatted(repeated.length, defined.length, values));
    } else {
      assertThat(wrong)
          .matches(
              reason
                  + " after its levels, where %s values? would have \\d+"
                      .formatted(values - nulls));
    }
  }

  /** A length of levels may be any number. */
  @ParameterizedTest
  @CsvSource({"-1, 2", "2, -1", "2147483647, 2147483647", "0, 11", "6, 5"})
  void refusesLengthsThatThePageDoesNotHave(int repeated, int defined) throws Exception {
    assertThat(
            misfit(
                "0 1 64",
                hex("02010800000000000000"),
                new DataPageHeaderV2(1, 0, 1, Encoding.PLAIN, defined, repeated)))
        .endsWith("which are not those of 1 value");
  }

  private String misfit(String column, byte[] page, DataPageHeaderV2 data) throws Exception {
    String[] parts = column.split(" ", -1);
    PageLevels levels =
        new PageLevels(
            Integer.parseInt(parts[0]), Integer.parseInt(parts[1]), Integer.parseInt(parts[2]));
    PageHeader header = new PageHeader(PageType.DATA_PAGE_V2, page.length, page.length);
    header.setData_page_header_v2(data);
    try (FileChannel channel = FileChannel.open(Files.write(folder.resolve("page"), page))) {
      return levels.misfit(header, new ParquetPages.PositionStream(channel, 0, page.length));
    }
  }

  private static byte[] hex(String text) {
    return text == null ? new byte[0] : HexFormat.of().parseHex(text.replace(" ", ""));
  }

  /** A required text, an optional struct of a required float, and a list of booleans. */
  @Test
  void takesTheHighestLevelsFromTheSchema() {
    List<SchemaElement> schema =
        List.of(
            group(null, 3),
            leaf(FieldRepetitionType.REQUIRED, Type.BYTE_ARRAY),
            group(FieldRepetitionType.OPTIONAL, 1),
            leaf(FieldRepetitionType.REQUIRED, Type.FLOAT),
            group(FieldRepetitionType.OPTIONAL, 1),
            group(FieldRepetitionType.REPEATED, 1),
            leaf(FieldRepetitionType.OPTIONAL, Type.BOOLEAN));
    assertThat(PageLevels.of(schema))
        .containsExactly(
            new PageLevels(0, 0, 0), new PageLevels(0, 1, 32), new PageLevels(1, 3, 1));
    assertThat(PageLevels.of(schema.subList(0, 3))).containsExactly(new PageLevels(0, 0, 0));
  }

  private static SchemaElement group(FieldRepetitionType repetition, int children) {
    SchemaElement group = new SchemaElement("g");
    group.setRepetition_type(repetition);
    group.setNum_children(children);
    return group;
  }

  private static SchemaElement leaf(FieldRepetitionType repetition, Type type) {
    SchemaElement leaf = new SchemaElement("l");
    leaf.setRepetition_type(repetition);
    leaf.setType(type);
    return leaf;
  }
}
