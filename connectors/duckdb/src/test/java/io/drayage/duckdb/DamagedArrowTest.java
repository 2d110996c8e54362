package io.drayage.duckdb;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.drayage.tables.TableException;
import java.io.ByteArrayOutputStream;
import java.nio.channels.Channels;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.apache.arrow.memory.ArrowBuf;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.RootAllocator;
import org.apache.arrow.vector.DecimalVector;
import org.apache.arrow.vector.FieldVector;
import org.apache.arrow.vector.IntVector;
import org.apache.arrow.vector.VarCharVector;
import org.apache.arrow.vector.VectorSchemaRoot;
import org.apache.arrow.vector.ViewVarCharVector;
import org.apache.arrow.vector.dictionary.Dictionary;
import org.apache.arrow.vector.dictionary.DictionaryProvider.MapDictionaryProvider;
import org.apache.arrow.vector.ipc.ArrowStreamWriter;
import org.apache.arrow.vector.types.pojo.ArrowType;
import org.apache.arrow.vector.types.pojo.DictionaryEncoding;
import org.apache.arrow.vector.types.pojo.FieldType;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Arrow whose offsets and indices are wrong ends an import, and not the process. */
final class DamagedArrowTest {
  private static final DictionaryEncoding ENCODING = new DictionaryEncoding(1, false, null);

  @TempDir private Path folder;
  private final BufferAllocator memory = new RootAllocator();
  private final MapDictionaryProvider dictionaries = new MapDictionaryProvider();

  @AfterEach
  void close() {
    memory.close();
  }

  /** A stream of one batch. */
  private byte[] stream(FieldVector vector) throws Exception {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (VectorSchemaRoot rows = new VectorSchemaRoot(List.of(vector));
        ArrowStreamWriter writer =
            new ArrowStreamWriter(rows, dictionaries, Channels.newChannel(bytes))) {
      rows.setRowCount(vector.getValueCount());
      writer.writeBatch();
      writer.end();
    }
    return bytes.toByteArray();
  }

  private void requireRefused(byte[] stream, String message) throws Exception {
    Path file = Files.write(folder.resolve("t.arrows"), stream);
    assertThatThrownBy(() -> Imported.file(file))
        .isInstanceOf(TableException.class)
        .hasMessageStartingWith(file.toString())
        .hasMessageContaining(message);
  }

  private VarCharVector texts() {
    VarCharVector texts = new VarCharVector("x", memory);
    List<String> all = List.of("aaa", "bbbb", "ccccc");
    texts.allocateNew(100, all.size());
    for (int i = 0; i < all.size(); i++) {
      texts.setSafe(i, all.get(i).getBytes(StandardCharsets.UTF_8));
    }
    texts.setValueCount(all.size());
    return texts;
  }

  /** Three texts end at 3, 7 and 12. */
  @ParameterizedTest
  @CsvSource({"1,7", "0,-5", "2,-1", "2,2147483647", "1,-2147483648"})
  void offsets(int place, int offset) throws Exception {
    VarCharVector texts = texts();
    ArrowBuf offsets = texts.getOffsetBuffer();
    offsets.setInt((long) place * Integer.BYTES, offset);
    if (place == 1) {
      offsets.setInt(2L * Integer.BYTES, 3);
    }
    requireRefused(stream(texts), ", column 'x', in the rows from 1 on: it is damaged: ");
  }

  @ParameterizedTest
  @ValueSource(ints = {-1, 3, 99, Integer.MAX_VALUE})
  void indicesOfADictionary(int index) throws Exception {
    try (VarCharVector texts = texts()) {
      dictionaries.put(new Dictionary(texts, ENCODING));
      IntVector indices =
          new IntVector("x", new FieldType(true, new ArrowType.Int(32, true), ENCODING), memory);
      indices.allocateNew(2);
      indices.set(0, 2);
      indices.set(1, index);
      indices.setValueCount(2);
      requireRefused(stream(indices), "is not in the dictionary of 3");
    }
  }

  /** The parts of a view: its length, prefix, buffer and offset. */
  @ParameterizedTest
  @CsvSource({"0,-1", "0,1000000", "1,7", "2,1", "2,-1", "3,-20", "3,1000000"})
  void views(int part, int value) throws Exception {
    ViewVarCharVector views = new ViewVarCharVector("x", memory);
    views.allocateNew(100, 1);
    views.setSafe(0, "longer than twelve bytes".getBytes(StandardCharsets.UTF_8));
    views.setValueCount(1);
    views.getDataBuffer().setInt((long) part * Integer.BYTES, value);
    requireRefused(stream(views), "it is damaged: ");
  }

  @ParameterizedTest
  @CsvSource({"4,66786", "4,-10000", "18,1000000000000000000"})
  void decimalsOfMoreDigits(int precision, long unscaled) throws Exception {
    DecimalVector decimals = new DecimalVector("x", memory, precision, 2);
    decimals.allocateNew(1);
    decimals.set(0, unscaled);
    decimals.setValueCount(1);
    requireRefused(stream(decimals), "has more digits than the " + precision + " of its type");
  }

  @Test
  void bytesBehindTheEndOfAStream() throws Exception {
    byte[] one = stream(texts());
    ByteArrayOutputStream two = new ByteArrayOutputStream();
    two.writeBytes(one);
    two.writeBytes(one);
    requireRefused(two.toByteArray(), "its stream of Arrow ends at byte ");
  }
}
