package io.drayage.study.chronicle;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

@Timeout(180)
class SystemsTest {
  static Stream<String> names() {
    return ComparedSystems.names().stream();
  }

  @ParameterizedTest
  @MethodSource("names")
  void objectsComeBackAsTheyWere(String name) throws Exception {
    try (MarketDataSystem system = ComparedSystems.ofName(name)) {
      for (long seed : List.of(1L, 2L)) {
        Random random = new Random(seed);
        MarketData source = system.newObject();
        source.fill(random.nextLong(), random.nextLong(), random.doubles(16).toArray());
        system.write(source);
        MarketData read = system.read(system.newObject());
        assertThat(read.securityId).isEqualTo(source.securityId);
        assertThat(read.time).isEqualTo(source.time);
        assertThat(read.doubles()).containsExactly(source.doubles());
      }
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"default", "explicit", "trivially copyable", "flyweight"})
  void takesAsManyBytesAsPublished(String name) throws Exception {
    assertThat(ChronicleStudy.bytes(name)).isEqualTo(144);
  }

  @Test
  void memoryOfAnObjectIsOneRange() {
    assertThat(CopiedMarketData.LENGTH).isEqualTo(144);
  }
}
