package io.drayage.duckdb.file;

import static io.drayage.internal.Texts.format;

import io.drayage.internal.Counted;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import org.apache.parquet.format.DataPageHeaderV2;
import org.apache.parquet.format.Encoding;
import org.apache.parquet.format.FieldRepetitionType;
import org.apache.parquet.format.PageHeader;
import org.apache.parquet.format.SchemaElement;

/**
 * The levels of a Parquet column in pages of version 2. Only the header of a page tells where its
 * levels end and its values begin, and no checksum covers the header. DuckDB skips the levels of a
 * column that has none, so that a wrong length would shift all values.
 *
 * @param repetition the highest repetition level; 0 if no value is repeated
 * @param definition the highest definition level; 0 if no value may be null
 * @param valueBits bits of a value; 0 if they vary
 */
record PageLevels(int repetition, int definition, int valueBits) {
  private static final int VARINT_BITS = 7;

  /** Returns those of all columns, in the order of a row group's columns. */
  static List<PageLevels> of(List<SchemaElement> schema) {
    List<PageLevels> leaves = new ArrayList<>();
    Iterator<SchemaElement> rest = schema.iterator();
    if (rest.hasNext()) {
      int columns = rest.next().getNum_children();
      for (int i = 0; i < columns && rest.hasNext(); i++) {
        add(rest, 0, 0, leaves);
      }
    }
    return leaves;
  }

  private static void add(
      Iterator<SchemaElement> rest, int repetition, int definition, List<PageLevels> leaves) {
    SchemaElement element = rest.next();
    FieldRepetitionType kind = element.getRepetition_type();
    int repeated = repetition + (kind == FieldRepetitionType.REPEATED ? 1 : 0);
    int defined = definition + (kind == FieldRepetitionType.REQUIRED ? 0 : 1);
    if (element.isSetType()) {
      leaves.add(new PageLevels(repeated, defined, bits(element)));
    }
    for (int i = 0; i < element.getNum_children() && rest.hasNext(); i++) {
      add(rest, repeated, defined, leaves);
    }
  }

  private static int bits(SchemaElement element) {
    return switch (element.getType()) {
      case BOOLEAN -> 1;
      case INT32, FLOAT -> Integer.SIZE;
      case INT64, DOUBLE -> Long.SIZE;
      case INT96 -> Integer.SIZE + Long.SIZE;
      case FIXED_LEN_BYTE_ARRAY -> element.getType_length() * Byte.SIZE;
      case BYTE_ARRAY -> 0;
    };
  }

  /**
   * Reads the levels of a page of version 2.
   *
   * @param page its bytes after the header
   * @return the reason why values do not begin where the header says, after "the page has"; an
   *     empty text if there is none
   */
  String misfit(PageHeader header, ParquetPages.PositionStream page) throws IOException {
    DataPageHeaderV2 data = header.getData_page_header_v2();
    int repeated = data.getRepetition_levels_byte_length();
    int defined = data.getDefinition_levels_byte_length();
    long rest = header.getUncompressed_page_size() - ((long) repeated + defined);
    if (repeated < 0
        || defined < 0
        || rest < 0
        || (long) repeated + defined > header.getCompressed_page_size()
        || !areLevels(page, repeated, repetition, data.getNum_values())
        || !areLevels(page, defined, definition, data.getNum_values())) {
      return "%s of repetition levels and %s of definition levels, which are not those of %s"
          .formatted(
              Counted.of(repeated, "byte"),
              Counted.of(defined, "byte"),
              Counted.of(data.getNum_values(), "value"));
    }
    // The first value may look like levels that its column does not need.
    boolean isOdd = (repetition == 0 && repeated > 0) || (definition == 0 && defined > 0);
    boolean isFixed =
        data.getEncoding() == Encoding.PLAIN || data.getEncoding() == Encoding.BYTE_STREAM_SPLIT;
    long stored = (long) data.getNum_values() - data.getNum_nulls();
    long needed = (stored * valueBits + Byte.SIZE - 1) / Byte.SIZE;
    return isOdd && isFixed && valueBits > 0 && rest != needed
        ? format(
            "%s after its levels, where %s would have %,d",
            Counted.of(rest, "byte"), Counted.of(stored, "value"), needed)
        : "";
  }

  /**
   * Skips levels.
   *
   * @param max the highest level
   * @return whether these bytes are runs of levels for this number of values, and end with the last
   *     run; levels that a column does not need must be exactly as many
   */
  private static boolean areLevels(ParquetPages.PositionStream page, int bytes, int max, int values)
      throws IOException {
    int bits = Integer.SIZE - Integer.numberOfLeadingZeros(max);
    long end = page.position() + bytes;
    if (values <= 0 || (bytes == 0 && bits == 0)) {
      return page.skip(bytes) == bytes;
    }
    long found = 0;
    boolean isPacked = false;
    while (page.position() < end && found < values) {
      long run = varint(page);
      isPacked = (run & 1) != 0; // Groups of 8 levels, or else one level many times.
      found += isPacked ? (run >> 1) * Byte.SIZE : run >> 1;
      long length = isPacked ? (run >> 1) * bits : (bits + Byte.SIZE - 1) / Byte.SIZE;
      if (run < 0 || page.skip(length) < length) {
        return false;
      }
    }
    long most = bits > 0 ? Long.MAX_VALUE : values + (isPacked ? Byte.SIZE - 1L : 0);
    return page.position() == end && found >= values && found <= most;
  }

  /** Returns a number of up to 32 bits; -1 if it has more, or the file ends. */
  private static long varint(ParquetPages.PositionStream page) throws IOException {
    long number = 0;
    for (int shift = 0; shift < Integer.SIZE; shift += VARINT_BITS) {
      int next = page.read();
      if (next < 0) {
        return -1;
      }
      number |= (next & 0x7fL) << shift;
      if (next < 0x80) {
        return number;
      }
    }
    return -1;
  }
}
