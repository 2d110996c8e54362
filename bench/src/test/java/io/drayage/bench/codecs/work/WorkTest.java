package io.drayage.bench.codecs.work;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.drayage.bench.cargo.CargoSources;
import io.drayage.bench.codecs.Combination;
import io.drayage.bench.codecs.Form;
import io.drayage.cargo.CargoDigest;
import io.drayage.cargo.CargoSize;
import io.drayage.cargo.ChangeCargo;
import io.drayage.compressor.Compressor;
import io.drayage.compressor.Compressors;
import io.drayage.frame.ShipmentException;
import io.drayage.serializer.Serializer;
import io.drayage.serializer.Serializers;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/** What is timed does what it claims, for every pair of codecs in every form. */
final class WorkTest {
  private static final long SEED = 7;

  private final ChangeCargo cargo = CargoSources.parse("thesis", 100_000, SEED).load();

  static Stream<Combination> combinations() {
    return Serializers.all().stream()
        .map(Serializer::name)
        .flatMap(
            serializer ->
                Compressors.all().stream()
                    .map(Compressor::name)
                    .flatMap(
                        compressor ->
                            Stream.of(Form.values())
                                .map(form -> new Combination(serializer, compressor, null, form))));
  }

  @ParameterizedTest
  @MethodSource("combinations")
  void readsBackWhatItWrote(Combination combination) throws Exception {
    long digest = CargoDigest.of(cargo);
    try (Work writing = Work.of(Direction.SERIALIZATION, combination, cargo);
        Work reading = Work.of(Direction.DESERIALIZATION, combination, cargo)) {
      writing.run();
      writing.run(); // As often as wanted.
      assertThat(writing.encodedBytes()).isPositive().isEqualTo(reading.encodedBytes());
      assertThat(writing.rawBytes())
          .isEqualTo(reading.rawBytes())
          .isEqualTo(CargoSize.rawBytes(cargo));
      assertThat(writing.segments()).isEqualTo(reading.segments());
      assertThat(writing.segments() > 0).isEqualTo(combination.form() == Form.SEGMENTS);
      writing.verify(digest);
      reading.verify(digest);
    }
  }

  @ParameterizedTest
  @EnumSource(Direction.class)
  void saysSoWhenWhatItReadsIsNotWhatWasWritten(Direction direction) throws Exception {
    Combination combination = new Combination("raw", "none", null, Form.STREAM);
    try (Work work = Work.of(direction, combination, cargo)) {
      assertThatThrownBy(() -> work.verify(CargoDigest.of(cargo) + 1))
          .isInstanceOf(ShipmentException.class)
          .hasMessageContaining("has digest");
    }
  }

  @ParameterizedTest
  @EnumSource(Direction.class)
  void copiesEveryPage(Direction direction) throws Exception {
    try (Work copy = Work.of(direction, Combination.COPY, cargo)) {
      copy.run();
      copy.verify(0);
      assertThat(copy.rawBytes()).isEqualTo(CargoSize.rawBytes(cargo));
    }
  }

  @Test
  void leavesTextsOutOfACopy() throws Exception {
    ChangeCargo withTexts = CargoSources.parse("tpch:sf=0.01", 0, SEED).load();
    try (Work copy = Work.of(Direction.SERIALIZATION, Combination.COPY, withTexts)) {
      copy.run();
      copy.verify(0);
      assertThat(copy.rawBytes()).isPositive().isLessThan(CargoSize.rawBytes(withTexts));
    }
  }
}
