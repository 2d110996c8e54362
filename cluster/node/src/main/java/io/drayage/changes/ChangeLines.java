package io.drayage.changes;

import static io.drayage.internal.Texts.format;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.StreamWriteFeature;
import com.fasterxml.jackson.core.json.JsonWriteFeature;
import io.drayage.worker.ChangedTable;
import io.drayage.worker.CommittedChange;
import io.drayage.worker.RowChange;
import java.io.IOException;
import java.io.Writer;
import java.util.Locale;
import java.util.Map;
import java.util.UUID;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Writes commits as JSON lines. {@code start} comes once, with the database and the snapshot before
 * the first commit. Each commit is {@code begin}, a line for each dropped table, then for each
 * changed row, {@code commit}. The lines are ASCII. Different values have different texts.
 *
 * @param table the only table to write; null for all
 * @param before whether the values before a change are written
 */
record ChangeLines(@Nullable String table, boolean before) {
  private static final String START = "{\"kind\":\"start\",\"snapshot\":";
  private static final Pattern DATABASE =
      Pattern.compile(
          "\\{\"kind\":\"start\",\"snapshot\":[0-9]+,\"database\":\"([0-9a-f-]{36})\"}");
  private static final Pattern POSITION =
      Pattern.compile("\\{\"kind\":\"(?:start|commit)\",\"snapshot\":([0-9]{1,18})[,}].*");

  /** The largest long that is exact for a reader with numbers in doubles. */
  private static final long MAX_SAFE_LONG = (1L << 53) - 1;

  private static final JsonFactory JSON =
      JsonFactory.builder()
          .enable(JsonWriteFeature.ESCAPE_NON_ASCII)
          .disable(StreamWriteFeature.AUTO_CLOSE_TARGET)
          .build();

  /** The snapshot of a line that starts the changes or ends a commit; -1 for any other line. */
  static long position(String line) {
    Matcher matcher = POSITION.matcher(line);
    return matcher.matches() ? Long.parseLong(matcher.group(1)) : -1;
  }

  /** Whether a file of changes may begin with this text, which may be cut off. */
  static boolean isBeginning(String text) {
    return text.startsWith(START) || START.startsWith(text);
  }

  /** The database in the line that starts changes; null for any other line. */
  static @Nullable String database(String line) {
    Matcher matcher = DATABASE.matcher(line);
    return matcher.matches() ? matcher.group(1) : null;
  }

  static void start(UUID database, long position, Writer out) throws IOException {
    out.write(format("%s%d,\"database\":\"%s\"}\n", START, position, database));
  }

  void write(CommittedChange change, Writer out) throws IOException {
    try (JsonGenerator json = JSON.createGenerator(out)) {
      json.setRootValueSeparator(null);
      start(json, "begin", change);
      json.writeStringField("committed", change.committed().toString());
      end(json);
      for (String dropped : change.droppedTables()) {
        if (table == null || dropped.equals(table)) {
          start(json, "drop", change);
          json.writeStringField("table", dropped);
          end(json);
        }
      }
      long rows = 0;
      for (ChangedTable changed : change.tables()) {
        if (table == null || changed.schema().name().equals(table)) {
          rows += write(change, changed, json);
        }
      }
      start(json, "commit", change);
      json.writeNumberField("rows", rows);
      end(json);
    }
  }

  private long write(CommittedChange change, ChangedTable changed, JsonGenerator json)
      throws IOException {
    long[] rows = new long[1];
    changed.<IOException>forEachRow(
        row -> {
          rows[0]++;
          write(change, changed.schema().name(), row, json);
        });
    return rows[0];
  }

  private void write(CommittedChange change, String name, RowChange row, JsonGenerator json)
      throws IOException {
    start(json, row.kind().name().toLowerCase(Locale.ROOT), change);
    json.writeStringField("table", name);
    json.writeNumberField("row", row.row());
    write("values", row.values(), json);
    if (before) {
      write("before", row.before(), json);
    }
    end(json);
  }

  private static void start(JsonGenerator json, String kind, CommittedChange change)
      throws IOException {
    json.writeStartObject();
    json.writeStringField("kind", kind);
    json.writeNumberField("snapshot", change.snapshot());
    json.writeStringField("transaction", change.transactionId().toString());
  }

  private static void end(JsonGenerator json) throws IOException {
    json.writeEndObject();
    json.writeRaw('\n');
  }

  /** Writes the values by column, in the format of a line. */
  static void writeValues(Map<String, @Nullable Object> values, Writer out) throws IOException {
    try (JsonGenerator json = JSON.createGenerator(out)) {
      write(values, json);
    }
  }

  private static void write(String field, Map<String, @Nullable Object> values, JsonGenerator json)
      throws IOException {
    if (!values.isEmpty()) {
      json.writeFieldName(field);
      write(values, json);
    }
  }

  private static void write(Map<String, @Nullable Object> values, JsonGenerator json)
      throws IOException {
    json.writeStartObject();
    for (Map.Entry<String, @Nullable Object> entry : values.entrySet()) {
      json.writeFieldName(entry.getKey());
      writeValue(entry.getValue(), json);
    }
    json.writeEndObject();
  }

  private static void writeValue(@Nullable Object value, JsonGenerator json) throws IOException {
    if (value == null) {
      json.writeNull();
    } else if (value instanceof Boolean truth) {
      json.writeBoolean(truth);
    } else if (value instanceof String text) {
      json.writeString(text);
    } else if (value instanceof Double number && !Double.isFinite(number)) {
      json.writeString(notFinite(number, Double.doubleToRawLongBits(number), 0x7ff8L << 48));
    } else if (value instanceof Float number && !Float.isFinite(number)) {
      json.writeString(
          notFinite(number, Integer.toUnsignedLong(Float.floatToRawIntBits(number)), 0x7fc00000L));
    } else if (value instanceof Long number && Math.abs((double) number) > MAX_SAFE_LONG) {
      json.writeString(number.toString());
    } else {
      json.writeNumber(value.toString());
    }
  }

  /** Adds the bits to the text of a NaN with unusual bits. */
  private static String notFinite(double value, long bits, long usualBits) {
    return Double.isNaN(value) && bits != usualBits
        ? format("NaN(0x%x)", bits)
        : Double.toString(value);
  }
}
