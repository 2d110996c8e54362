package io.drayage.bench.codecs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.drayage.bench.cargoes.CargoSources;
import io.drayage.bench.cargoes.SmallTpchCargo;
import io.drayage.cargo.CargoDigest;
import io.drayage.cargo.CargoSize;
import io.drayage.cargo.ChangeCargo;
import io.drayage.codec.Compressor;
import io.drayage.codec.Compressors;
import io.drayage.codec.Serializer;
import io.drayage.codec.Serializers;
import io.drayage.frame.ShipmentException;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Checks the timed work for every pair of codecs in every form. */
@Tag("ci")
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
  @EnumSource(Form.class)
  void readsBackWhatItWrote(Form form) throws Exception {
    readsBack(new Combination("raw", "lz4", null, form));
    readsBack(new Combination("java", "none", null, form));
  }

  @ParameterizedTest
  @Tag("nightly")
  @MethodSource("combinations")
  void readsBackWhatItWroteByEveryCodec(Combination combination) throws Exception {
    readsBack(combination);
  }

  private void readsBack(Combination combination) throws Exception {
    long digest = CargoDigest.of(cargo);
    try (Work writing = Work.of(Direction.SERIALIZATION, combination, cargo);
        Work reading = Work.of(Direction.DESERIALIZATION, combination, cargo)) {
      writing.run();
      writing.run(); // The work can be repeated.
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
  @ValueSource(ints = {1, 3})
  void encodesTheSameWithAnyNumberOfThreads(int threads) throws Exception {
    ChangeCargo several = CargoSources.parse("thesis", 10_000_000, SEED).load();
    Combination combination = new Combination("raw", "lz4", null, Form.SEGMENTS);
    try (Work parallel = Work.of(Direction.SERIALIZATION, combination.onThreads(threads), several);
        Work alone = Work.of(Direction.SERIALIZATION, combination, several)) {
      parallel.run();
      parallel.run();
      alone.run();
      assertThat(parallel.encodedBytes()).isEqualTo(alone.encodedBytes());
      assertThat(parallel.segments()).isEqualTo(alone.segments()).isGreaterThan(threads);
      parallel.verify(CargoDigest.of(several));
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
    ChangeCargo withTexts = SmallTpchCargo.get();
    try (Work copy = Work.of(Direction.SERIALIZATION, Combination.COPY, withTexts)) {
      copy.run();
      copy.verify(0);
      assertThat(copy.rawBytes()).isPositive().isLessThan(CargoSize.rawBytes(withTexts));
    }
  }
}
