package io.drayage.bench.cargoes;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.drayage.cargo.CargoDigest;
import io.drayage.cargo.CargoSize;
import io.drayage.cargo.ChangeCargo;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class CargoSourcesTest {
  private static final long SIZE_BYTES = 27_000_000;
  private static final long SEED = 42;

  @ParameterizedTest
  @CsvSource({"tpch, 150000", "tpch:sf=0.5, 750000"})
  void tpchTakesAScaleFactorOrThatOfTheSize(String spec, long rows) {
    assertThat(CargoSources.parse(spec, SIZE_BYTES, SEED).baseTables().get(0).rows())
        .isEqualTo(rows);
  }

  @ParameterizedTest
  @ValueSource(strings = {"columns", "random"})
  void kindsOfColumnsComeNearToTheSizeAndAreTheSameEachTime(String spec) {
    CargoSource source = CargoSources.parse(spec, SIZE_BYTES, SEED);
    ChangeCargo cargo = source.load();
    assertThat((double) CargoSize.rawBytes(cargo) / SIZE_BYTES).isBetween(0.9, 1.1);
    assertThat(CargoDigest.of(source.load())).isEqualTo(CargoDigest.of(cargo));
    assertThat(CargoSources.sizeCounts(spec)).isTrue();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "tpcds",
        "thesis:",
        "tpch:",
        "tpch:sf=",
        "tpch:sf=x",
        "tpch:0.5",
        "/no/file",
        "a\0b"
      })
  void refusesWhatItDoesNotKnowAndSaysWhatWouldBeRight(String spec) {
    assertThatThrownBy(() -> CargoSources.parse(spec, SIZE_BYTES, SEED))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("thesis")
        .hasMessageContaining("tpch:sf=N")
        .hasMessageNotContaining("\n");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"tpch:sf=0", "tpch:sf=0.0099", "tpch:sf=10.1", "tpch:sf=-1", "tpch:sf=NaN"})
  void refusesAScaleFactorOutsideItsLimits(String spec) {
    assertThatThrownBy(() -> CargoSources.parse(spec, SIZE_BYTES, SEED))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("0.01");
  }
}
