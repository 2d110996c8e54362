package io.drayage.baseline.stream;

import static io.drayage.baseline.stream.SerializerChecks.bytes;
import static io.drayage.testing.CargoBytes.cargoOf;
import static org.assertj.core.api.Assertions.assertThat;

import io.drayage.cargo.CargoDigest;
import io.drayage.cargo.ChangeCargo;
import io.drayage.cargo.ColumnType;
import io.drayage.cargo.ColumnValues;
import io.drayage.cargo.RandomCargo;
import io.drayage.cargo.TextPage;
import io.drayage.codec.SegmentChecks;
import io.drayage.codec.Serializer;
import io.drayage.codec.Serializers;
import java.io.IOException;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Only one thread at a time prepares strings, as in a measurement. */
class StudyTextsTest {
  private static final Serializer JAVA = Serializers.ofName("java");

  private final ColumnValues texts = RandomCargo.column(3, ColumnType.STRING, 70_000, true);
  private final ChangeCargo cargo = cargoOf(texts);

  static Stream<Serializer> studys() {
    return Stream.of("java", "java-buffered", "kryo", "kryo-unsafe", "msgpack")
        .map(Serializers::ofName);
  }

  @AfterEach
  void forget() {
    StudyTexts.forget();
  }

  @Test
  void stringsAreMadeOnceIfTheyArePrepared() {
    TextPage page = texts.texts(1);
    assertThat(StudyTexts.of(page)).isEqualTo(page.toStrings()).isNotSameAs(StudyTexts.of(page));

    StudyTexts.prepare(JAVA, cargo);

    String[] made = StudyTexts.of(page);
    assertThat(made).isEqualTo(page.toStrings());
    StudyTexts.prepare(JAVA, cargo);
    assertThat(StudyTexts.of(page)).isSameAs(made);
    assertThat(StudyTexts.of(texts, SegmentChecks.segment(texts, 65_000, 3_000))[600])
        .isSameAs(made[64]);
  }

  @ParameterizedTest
  @ValueSource(strings = {"raw", "kryo-tuned"})
  void whoWritesBytesHasNoStrings(String serializer) {
    StudyTexts.prepare(JAVA, cargo);

    StudyTexts.prepare(Serializers.ofName(serializer), cargo);

    TextPage page = texts.texts(0);
    assertThat(StudyTexts.of(page)).isNotSameAs(StudyTexts.of(page));
  }

  @ParameterizedTest
  @MethodSource("studys")
  void preparedStringsBecomeTheSameBytes(Serializer serializer) throws IOException {
    byte[] expected = bytes(serializer, cargo);

    StudyTexts.prepare(serializer, cargo);

    byte[] bytes = bytes(serializer, cargo);
    assertThat(bytes).isEqualTo(expected);
    assertThat(CargoDigest.of(SerializerChecks.read(serializer, bytes, SerializerChecks.MAX_BYTES)))
        .isEqualTo(CargoDigest.of(cargo));
  }
}
