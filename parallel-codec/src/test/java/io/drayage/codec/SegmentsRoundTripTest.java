package io.drayage.codec;

import io.drayage.cargo.RandomCargo;
import io.drayage.segment.SegmentPlanner;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Carries cargoes as segments. */
class SegmentsRoundTripTest extends RoundTripBattery {
  private static final List<TestContent> MANY_SEGMENTS =
      List.of(
          TestContent.ofTable("texts", HardTexts::addTo),
          new TestContent("every type, 2,001 rows, seed 5", RandomCargo.of(5, 2_001)));

  @Override
  Trip trip(CodecPair pair) {
    return new SegmentsTrip(pair);
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("pairs")
  void carriesManySmallSegments(CodecPair pair) throws Exception {
    SegmentsTrip trip = new SegmentsTrip(pair, SegmentPlanner.MIN_SEGMENT_BYTES);
    for (TestContent content : MANY_SEGMENTS) {
      assertSame(content, trip.carry(content.cargo()));
    }
  }
}
