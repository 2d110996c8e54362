package io.drayage.baseline.java;

import static io.drayage.testing.Refusals.assertFails;
import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.drayage.baseline.stream.SerializerChecks;
import io.drayage.baseline.stream.StreamSerializer;
import io.drayage.cargo.ChangeCargo;
import io.drayage.cargo.ColumnType;
import io.drayage.cargo.ColumnValues;
import io.drayage.cargo.RandomCargo;
import io.drayage.cargo.TextPage;
import io.drayage.codec.Serializer;
import io.drayage.codec.Serializers;
import io.drayage.frame.Fault;
import io.drayage.frame.ShipmentException;
import io.drayage.segment.Part;
import io.drayage.segment.PartKind;
import io.drayage.segment.Segment;
import io.drayage.testing.CargoBytes;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.ObjectOutputStream;
import java.io.Serializable;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.Proxy;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

class JavaSerializerTest {
  private static final long MAX_BYTES = 100 << 20;

  private final Serializer serializer = Serializers.ofName("java");

  @ParameterizedTest
  @CsvSource({
    "2, '4 rows do not end in the last of 2 pages: expected 3 to 3'",
    "3, 'ragged pages: page 1 of 3 has 1 rows'"
  })
  void refusesPagesOfOtherRows(int count, String why) throws IOException {
    long[][] pages = new long[count][2];
    ChangeCargo cargo = CargoBytes.cargoOf(ColumnValues.of(pages));
    pages[1] = new long[] {3};

    assertFails(() -> read(bytes(cargo), MAX_BYTES), IOException.class, why);
  }

  static Stream<Arguments> objects() {
    Object proxy =
        Proxy.newProxyInstance(
            JavaSerializerTest.class.getClassLoader(),
            new Class<?>[] {Runnable.class},
            (InvocationHandler & Serializable) (self, method, args) -> null);
    TextPage page = TextPage.of("a");
    String strings = "class io.drayage.cargo.TextPage$Strings, which is no part";
    return Stream.of(
        Arguments.of(new ArrayList<>(List.of("a")), "java.util.ArrayList"),
        Arguments.of(proxy, "which is no part of a cargo"),
        Arguments.of(new long[3], "else than a cargo"),
        Arguments.of(new TextPage[] {page}, strings),
        Arguments.of(page, strings));
  }

  @ParameterizedTest
  @MethodSource("objects")
  void refusesWhatIsNoCargoByName(Object object, String why) throws IOException {
    byte[] hostile = bytes(object);
    assertFails(() -> read(hostile, MAX_BYTES), IOException.class, why);
  }

  /** Each string but the first needs five bytes of the stream. */
  @Test
  void refusesAStringThatIsThereTooOften() throws IOException {
    String[] strings = new String[100];
    Arrays.fill(strings, "x".repeat(1 << 20));
    Part part =
        new Part(0, "t", PartKind.INSERTED_VALUES, "c", ColumnType.STRING, false, 100, 1 << 20);

    assertThatThrownBy(
            () ->
                serializer
                    .newSegmentSerializer()
                    .deserialize(
                        new Segment(0, part, 0, 100),
                        ByteBuffer.wrap(bytes(strings)),
                        ColumnValues.allocate(ColumnType.STRING, 100, false)))
        .isInstanceOf(ShipmentException.class)
        .hasMessageContaining("its texts need 104,858,000 bytes or more, the limit is 4,194,304");
  }

  @Test
  void refusesAStringWithoutUtf8() throws IOException {
    byte[] bytes = bytes(CargoBytes.cargoOf(ColumnValues.ofTexts(new String[] {"a", "€"})));
    int at = new String(bytes, ISO_8859_1).indexOf("\u00e2\u0082\u00ac");
    bytes[at] = (byte) 0xED;
    bytes[at + 1] = (byte) 0xA0; // an unpaired surrogate in modified UTF-8

    assertFails(
        () -> read(bytes, MAX_BYTES), IOException.class, "the text in row 1 of a column has");
  }

  @Test
  void refusesArraysBeyondTheLimitBeforeTheyAreAllocated() throws IOException {
    byte[] bytes = bytes(new long[1_000]);
    int lengthAt = bytes.length - 8_000 - Integer.BYTES;
    bytes[lengthAt] = 0x0F; // states 251,659,240 elements, 2 GB, and has 1,000

    assertThatThrownBy(() -> read(bytes, MAX_BYTES))
        .isInstanceOfSatisfying(
            ShipmentException.class, e -> assertThat(e.fault()).isEqualTo(Fault.LIMIT))
        .hasMessageContaining("2,013,273,920 bytes or more; the limit is 104,857,600");
  }

  @Test
  void aBufferChangesNoByteAndAsksForWholeBuffers() throws IOException {
    Serializer buffered = Serializers.ofName("java-buffered");
    ChangeCargo cargo = RandomCargo.of(2, 10_000);
    byte[] bytes = SerializerChecks.bytes(buffered, cargo);
    assertThat(bytes).isEqualTo(bytes(cargo));
    List<Integer> asked = new ArrayList<>();
    ByteArrayInputStream in =
        new ByteArrayInputStream(bytes) {
          @Override
          public synchronized int read(byte[] target, int offset, int length) {
            asked.add(length);
            return super.read(target, offset, length);
          }

          @Override
          public synchronized int read() {
            throw new AssertionError("a single byte was asked for");
          }
        };

    StreamSerializer.read(buffered, in, MAX_BYTES);

    assertThat(asked).allMatch(length -> length >= 64 << 10);
  }

  private byte[] bytes(ChangeCargo cargo) throws IOException {
    return SerializerChecks.bytes(serializer, cargo);
  }

  private static byte[] bytes(Object object) throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    new ObjectOutputStream(bytes).writeObject(object);
    return bytes.toByteArray();
  }

  private ChangeCargo read(byte[] bytes, long maxBytes) throws IOException {
    return SerializerChecks.read(serializer, bytes, maxBytes);
  }
}
