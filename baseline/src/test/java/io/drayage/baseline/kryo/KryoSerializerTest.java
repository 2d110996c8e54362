package io.drayage.baseline.kryo;

import static io.drayage.baseline.stream.SerializerChecks.MAX_BYTES;
import static io.drayage.baseline.stream.SerializerChecks.bytes;
import static io.drayage.baseline.stream.SerializerChecks.read;
import static io.drayage.testing.CargoBytes.cargoOf;
import static io.drayage.testing.Refusals.assertFault;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.esotericsoftware.kryo.Kryo;
import com.esotericsoftware.kryo.io.Input;
import com.esotericsoftware.kryo.io.Output;
import com.esotericsoftware.kryo.serializers.DefaultArraySerializers.ObjectArraySerializer;
import io.drayage.baseline.stream.MemoryAccount;
import io.drayage.baseline.stream.StreamSerializer;
import io.drayage.cargo.ChangeCargo;
import io.drayage.cargo.ColumnType;
import io.drayage.cargo.ColumnUpdates;
import io.drayage.cargo.ColumnValues;
import io.drayage.cargo.InsertedColumn;
import io.drayage.cargo.RandomCargo;
import io.drayage.cargo.RowBits;
import io.drayage.cargo.TableChanges;
import io.drayage.cargo.TextPage;
import io.drayage.codec.Serializer;
import io.drayage.codec.Serializers;
import io.drayage.frame.Fault;
import io.drayage.testing.SpareRows;
import java.io.ByteArrayOutputStream;
import java.io.FilterOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

class KryoSerializerTest {
  private static final List<String> ALL = List.of("kryo", "kryo-unsafe", "kryo-tuned");

  /** Serializers that carry texts as strings. */
  private static final List<String> STRINGS = List.of("kryo", "kryo-unsafe");

  private static final List<String> TUNED = List.of("kryo-tuned");
  private static final int MANY = 1 << 28;

  static Stream<Serializer> kryos() {
    return ALL.stream().map(Serializers::ofName);
  }

  @ParameterizedTest
  @MethodSource("kryos")
  void readsNoFurtherThanTheLimit(Serializer serializer) throws IOException {
    byte[] bytes = bytes(serializer, cargoOf(ColumnValues.ofTexts(new String[][] {{"abc"}})));
    byte[] more = Arrays.copyOf(bytes, 1 << 20);

    assertFault(Fault.LIMIT, () -> read(serializer, more, bytes.length));
  }

  @ParameterizedTest
  @EnumSource
  void refusesAPageBeyondTheLimitBeforeItIsAllocated(ColumnType type) {
    int most = MemoryAccount.MAX_ARRAY_LENGTH - 1;
    refusesWhatIsHostile(ALL, Fault.LIMIT, "is 104,857,600", page(type, most));
    refusesWhatIsHostile(ALL, Fault.LIMIT, "is 268,435,456", page(type, Integer.MAX_VALUE - 1));
    refusesWhatIsHostile(ALL, Fault.LIMIT, "is 268,435,456", page(type, -5));
  }

  private static Arguments row(
      List<String> kryos, @Nullable Fault fault, String why, Writing afterSnapshot) {
    return Arguments.of(kryos, fault, why, afterSnapshot);
  }

  static Stream<Arguments> hostileCargoes() {
    byte[] noEnd = "x".repeat(33).getBytes(StandardCharsets.US_ASCII);
    String noUtf8 = "a\uD800b".repeat(20);
    Fault limit = Fault.LIMIT;
    Fault decode = Fault.DECODE;
    return Stream.of(
        row(ALL, limit, "arrays of", out -> out.writeVarInt(1 << 27, true)), // tables
        row(ALL, limit, "arrays of", out -> ints(out).writeVarInt(1 << 27, true)),
        row(ALL, decode, "do not hold 1,099,511,627,776 rows", KryoSerializerTest::manyBits),
        row(STRINGS, limit, "arrays of", out -> oneText(out).writeVarIntFlag(true, MANY, true)),
        row(STRINGS, limit, "an array of -2,147,483,648", KryoSerializerTest::leastLength),
        row(STRINGS, decode, "without an end", out -> oneText(out).writeBytes(noEnd)),
        row(STRINGS, decode, "a null where a string", KryoSerializerTest::nullText),
        row(STRINGS, null, "the text in row 0 has", out -> oneText(out).writeString(noUtf8)),
        row(TUNED, limit, "arrays of", out -> offsets(out, 0, MANY)),
        row(TUNED, decode, "texts of -1 bytes", out -> offsets(out, 0, -1)),
        row(TUNED, null, "out of bounds", out -> offsets(out, 2, 1).writeByte(0)),
        row(TUNED, null, "the text in row 0 ", out -> offsets(out, 0, 1).writeByte(0x80)),
        row(ALL, decode, "a null where an array belongs", out -> out.writeByte(0)),
        row(ALL, decode, "a null where a table or a column", KryoSerializerTest::nullTable),
        row(ALL, decode, "class 0 where the pages of a column", out -> pages(out, 0 + 2)),
        row(ALL, decode, "class 99 where", out -> pages(out, 99 + 2)),
        row(ALL, decode, "class -2 where the pages of a column", out -> pages(out, 0)),
        row(ALL, decode, "a class by its name", KryoSerializerTest::namedClass));
  }

  /** Lengths are refused before anything is allocated. Without a fault, the model refuses. */
  @ParameterizedTest
  @MethodSource("hostileCargoes")
  void refusesWhatIsHostile(
      List<String> kryos, @Nullable Fault fault, String why, Writing afterSnapshot) {
    byte[] hostile = hostile(afterSnapshot);
    for (String name : kryos) {
      ThrowingCallable read = () -> read(Serializers.ofName(name), hostile, MAX_BYTES);
      if (fault == null) {
        assertThatThrownBy(read).isInstanceOf(IOException.class).hasMessageContaining(why);
      } else {
        assertFault(fault, read).hasMessageContaining(why);
      }
    }
  }

  private static Output ints(Output out) {
    return column(out, ColumnType.INT);
  }

  private static void manyBits(Output out) {
    out.writeVarInt(2, true);
    out.writeByte(Kryo.NOT_NULL);
    out.writeByte(Kryo.NOT_NULL);
    out.writeVarInt(1, true);
    out.writeVarLong(1L << 40, false);
  }

  private static void leastLength(Output out) {
    oneText(out).writeVarIntFlag(true, Integer.MIN_VALUE + 1, true);
  }

  private static void nullText(Output out) {
    oneText(out).writeString((String) null);
  }

  private static void nullTable(Output out) {
    out.writeVarInt(2, true);
    out.writeByte(0);
  }

  private static void namedClass(Output out) {
    pages(out, 1).writeVarInt(0, true);
    out.writeString("java.util.ArrayList");
  }

  /** Begins one page with one text. */
  private static Output oneText(Output out) {
    column(out, ColumnType.STRING).writeVarInt(2, true);
    out.writeVarInt(2, true);
    return out;
  }

  private static Output offsets(Output out, int begin, int end) {
    oneText(out).writeInt(begin);
    out.writeInt(end);
    return out;
  }

  @Test
  void refusesSomethingElseThanACargo() throws IOException {
    Output out = new Output(100, -1);
    out.writeVarInt(18 + 2, true);

    assertFault(Fault.DECODE, () -> read(Serializers.ofName("kryo"), out.toBytes(), MAX_BYTES))
        .hasMessageContaining("something else than a cargo");
  }

  @ParameterizedTest
  @MethodSource("kryos")
  void defaultsFlushTheStreamWithEachBufferAndTunedNever(Serializer serializer) throws IOException {
    ChangeCargo cargo = cargoOf(RandomCargo.column(1, ColumnType.LONG, 100_000, false));
    CountingStream stream = new CountingStream();

    StreamSerializer.write(serializer, cargo, stream);

    if (serializer.name().equals("kryo-tuned")) {
      assertThat(stream.flushes).isZero();
    } else {
      assertThat(stream.bytes).isGreaterThan(800_000);
      assertThat(stream.flushes).isBetween(stream.bytes / 4_096, stream.bytes / 4_080 + 1);
    }
  }

  /** Our serializers write the fields, but the study's figures are those of Kryo. */
  @Test
  void kryoWritesTheBytesOfKryosOwnSerializers() throws IOException {
    ChangeCargo cargo = SpareRows.of(RandomCargo.of(11, 3_000), 1_000);
    Kryo stock = stockKryo();
    ByteArrayOutputStream expected = new ByteArrayOutputStream();
    Output output = new Output(expected, 4_096);
    stock.writeClassAndObject(output, cargo);
    output.flush();

    assertThat(bytes(Serializers.ofName("kryo"), cargo))
        .as("seed 11")
        .isEqualTo(expected.toByteArray());
  }

  /** Kryo's own serializers, under our numbers. */
  private static Kryo stockKryo() {
    Kryo kryo = new Kryo();
    kryo.register(ChangeCargo.class, KryoCargo.CHANGE_CARGO);
    kryo.register(TableChanges[].class, 11);
    kryo.register(TableChanges.class, 12);
    kryo.register(InsertedColumn[].class, 13);
    kryo.register(InsertedColumn.class, 14);
    kryo.register(ColumnUpdates[].class, 15);
    kryo.register(ColumnUpdates.class, 16);
    kryo.register(ColumnValues.class, 17);
    kryo.register(RowBits.class, 18);
    kryo.register(ColumnType.class, 19);
    for (ColumnType type : ColumnType.values()) {
      Class<?> page = type == ColumnType.STRING ? String[].class : type.pageClass();
      kryo.register(page, 19 + type.id());
      kryo.register(type.pageClass().arrayType(), KryoCargo.PAGE_TABLES + type.id());
    }
    kryo.getRegistration(TextPage[].class).setSerializer(new AsStrings());
    return kryo;
  }

  /** Pages of texts as arrays of strings, as in the study. */
  private static final class AsStrings extends com.esotericsoftware.kryo.Serializer<TextPage[]> {
    @Override
    public void write(Kryo kryo, Output output, TextPage[] pages) {
      String[][] strings = Arrays.stream(pages).map(TextPage::toStrings).toArray(String[][]::new);
      new ObjectArraySerializer(kryo, String[][].class).write(kryo, output, strings);
    }

    @Override
    public TextPage[] read(Kryo kryo, Input input, Class<? extends TextPage[]> type) {
      throw new UnsupportedOperationException();
    }
  }

  private interface Writing {
    void write(Output out);
  }

  /** Writes a cargo up to the class of its first column's pages. */
  private static Output pages(Output out, int classId) {
    out.writeVarInt(2, true); // one table
    out.writeByte(Kryo.NOT_NULL);
    out.writeByte(Kryo.NULL); // no deleted rows
    out.writeVarInt(2, true); // one inserted column
    out.writeByte(Kryo.NOT_NULL);
    out.writeString("c");
    out.writeByte(Kryo.NOT_NULL);
    out.writeVarInt(classId, true);
    return out;
  }

  private static Output column(Output out, ColumnType type) {
    return pages(out, KryoCargo.PAGE_TABLES + type.id() + 2);
  }

  private static Writing page(ColumnType type, int length) {
    return out -> {
      column(out, type).writeVarInt(2, true); // one page
      out.writeVarInt(length + 1, true);
    };
  }

  private static byte[] hostile(Writing afterSnapshot) {
    Output out = new Output(100, -1);
    out.writeVarInt(KryoCargo.CHANGE_CARGO + 2, true);
    out.writeVarLong(3, false); // the base snapshot
    afterSnapshot.write(out);
    return out.toBytes();
  }

  private static final class CountingStream extends FilterOutputStream {
    int bytes;
    int flushes;

    CountingStream() {
      super(OutputStream.nullOutputStream());
    }

    @Override
    public void write(byte[] source, int offset, int length) {
      bytes += length;
    }

    @Override
    public void flush() {
      flushes++;
    }
  }
}
