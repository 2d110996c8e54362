package io.drayage.codec;

import static org.assertj.core.api.Assertions.assertThat;

import io.drayage.cargo.CargoDigest;
import io.drayage.cargo.ChangeCargo;
import io.drayage.cargo.RandomCargo;
import io.drayage.segment.SegmentPlanner;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * What every serializer with every compressor must pass, in the form of either pipeline. The pairs
 * come from the registries: whoever adds a codec has nothing to do here.
 */
@Timeout(60)
class RoundTripBatteryTest {
  private static final List<TestContent> SMALL = SmallContents.all();
  private static final List<TestContent> PAGE_BORDERS = LargeContents.pageBorders();
  private static final List<TestContent> MORE_THAN_A_PAGE = List.of(LargeContents.moreThanAPage());
  private static final List<TestContent> RATIOS = LargeContents.ratios();
  private static final List<TestContent> HEAVY = LargeContents.heavy();

  private static final List<TestContent> MANY_SEGMENTS =
      List.of(
          TestContent.ofTable("texts", Texts::addTo),
          new TestContent("every type, 2,001 rows, seed 5", RandomCargo.of(5, 2_001)));

  static Stream<Arguments> pairs() {
    return inBothForms(CodecPair.all());
  }

  static Stream<Arguments> eachCodec() {
    return inBothForms(CodecPair.eachCodec());
  }

  private static Stream<Arguments> inBothForms(List<CodecPair> pairs) {
    return pairs.stream()
        .flatMap(pair -> Stream.of(Form.values()).map(form -> Arguments.of(pair, form)));
  }

  @ParameterizedTest(name = "{0} {1}")
  @MethodSource("pairs")
  void carriesSmallCargoes(CodecPair pair, Form form) throws Exception {
    assertCarries(pair, form, SMALL);
  }

  @ParameterizedTest(name = "{0} {1}")
  @MethodSource("pairs")
  void carriesMoreThanAPage(CodecPair pair, Form form) throws Exception {
    assertCarries(pair, form, MORE_THAN_A_PAGE);
  }

  @ParameterizedTest(name = "{0} {1}")
  @MethodSource("eachCodec")
  void carriesCargoesAtPageBorders(CodecPair pair, Form form) throws Exception {
    assertCarries(pair, form, PAGE_BORDERS);
  }

  @ParameterizedTest(name = "{0} {1}")
  @MethodSource("pairs")
  void carriesWhatDoesAndWhatDoesNotCompress(CodecPair pair, Form form) throws Exception {
    assertCarries(pair, form, RATIOS);
  }

  @ParameterizedTest(name = "{0} {1}")
  @MethodSource("eachCodec")
  void carriesHeavyCargoes(CodecPair pair, Form form) throws Exception {
    assertCarries(pair, form, HEAVY);
    if (pair.compressor().id() == Compressor.STORED_ID) {
      // Rows are the serializer's business; so much noise keeps a compressor busy for seconds.
      assertCarries(pair, form, List.of(LargeContents.everyTypeBeyondAPage()));
    }
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("io.drayage.codec.CodecPair#all")
  void carriesManySmallSegments(CodecPair pair) throws Exception {
    SegmentsTrip trip = new SegmentsTrip(pair, SegmentPlanner.MIN_SEGMENT_BYTES);
    for (TestContent content : MANY_SEGMENTS) {
      assertSame(content, trip.carry(content.cargo()));
    }
  }

  @ParameterizedTest(name = "{0} {1}")
  @MethodSource("pairs")
  void keepsNanPayloadsOrIsKnownNotTo(CodecPair pair, Form form) throws Exception {
    ChangeCargo cargo = LargeContents.nans();

    ChangeCargo arrived = pair.trip(form).carry(cargo);

    assertThat(CargoDigest.of(arrived) == CargoDigest.of(cargo))
        .as("%s %s keeps the payloads of NaNs", pair, form)
        .isEqualTo(pair.keepsNanPayloads(form));
  }

  private static void assertCarries(CodecPair pair, Form form, List<TestContent> contents)
      throws Exception {
    for (TestContent content : contents) {
      ChangeCargo arrived;
      try {
        arrived = pair.trip(form).carry(content.cargo());
      } catch (Exception | StackOverflowError e) {
        throw new AssertionError("%s %s cannot carry: %s".formatted(pair, form, content), e);
      }
      assertSame(content, arrived);
    }
  }

  private static void assertSame(TestContent content, ChangeCargo arrived) {
    assertThat(CargoDigest.toHex(CargoDigest.of(arrived)))
        .as(content.name())
        .isEqualTo(CargoDigest.toHex(CargoDigest.of(content.cargo())));
    assertThat(arrived.transactionId())
        .as(content.name())
        .isEqualTo(content.cargo().transactionId());
    assertThat(arrived.baseSnapshot()).as(content.name()).isEqualTo(content.cargo().baseSnapshot());
  }
}
