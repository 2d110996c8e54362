package io.drayage.codec;

import static org.assertj.core.api.Assertions.assertThat;

import io.drayage.cargo.CargoDigest;
import io.drayage.cargo.ChangeCargo;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Tests that every serializer works with every compressor; inherited by a test for each form. The
 * pairs come from the registries, so that a new codec is tested without a change here.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
abstract class RoundTripBattery {
  private static final List<TestContent> SMALL = SmallContents.all();
  private static final List<TestContent> PAGE_BORDERS = LargeContents.pageBorders();
  private static final List<TestContent> MORE_THAN_A_PAGE = List.of(LargeContents.moreThanAPage());
  private static final List<TestContent> RATIOS = LargeContents.ratios();
  private static final List<TestContent> HEAVY = LargeContents.heavy();

  /** Carries cargoes in the form under test. */
  abstract Trip trip(CodecPair pair);

  /** Whether a NaN keeps its bits. */
  boolean keepsNanPayloads(CodecPair pair) {
    return true;
  }

  List<CodecPair> pairs() {
    return CodecPair.all();
  }

  List<CodecPair> eachCodec() {
    return CodecPair.eachCodec();
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("eachCodec")
  void carriesSmallCargoes(CodecPair pair) throws Exception {
    assertCarries(pair, SMALL);
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("eachCodec")
  void carriesMoreThanAPage(CodecPair pair) throws Exception {
    assertCarries(pair, MORE_THAN_A_PAGE);
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("eachCodec")
  void carriesWhatDoesAndWhatDoesNotCompress(CodecPair pair) throws Exception {
    assertCarries(pair, RATIOS);
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("eachCodec")
  void keepsNanPayloadsOrIsKnownNotTo(CodecPair pair) throws Exception {
    ChangeCargo cargo = LargeContents.nans();

    ChangeCargo arrived = trip(pair).carry(cargo);

    assertThat(CargoDigest.of(arrived) == CargoDigest.of(cargo))
        .as("%s keeps the payloads of NaNs", pair)
        .isEqualTo(keepsNanPayloads(pair));
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("pairs")
  @Tag("nightly")
  void everyPairCarriesSmallAndLargeCargoes(CodecPair pair) throws Exception {
    assertCarries(pair, SMALL);
    assertCarries(pair, MORE_THAN_A_PAGE);
    assertCarries(pair, RATIOS);
    keepsNanPayloadsOrIsKnownNotTo(pair);
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("eachCodec")
  @Tag("nightly")
  void carriesHeavyCargoesAndThoseAtPageBorders(CodecPair pair) throws Exception {
    assertCarries(pair, PAGE_BORDERS);
    assertCarries(pair, HEAVY);
    if (pair.compressor().id() == Compressor.STORED_ID) {
      // Only serializers depend on rows, and a compressor would need seconds for so much noise.
      assertCarries(pair, List.of(LargeContents.everyTypeBeyondAPage()));
    }
  }

  private void assertCarries(CodecPair pair, List<TestContent> contents) throws Exception {
    for (TestContent content : contents) {
      ChangeCargo arrived;
      try {
        arrived = trip(pair).carry(content.cargo());
      } catch (Exception | StackOverflowError e) {
        throw new AssertionError("%s cannot carry: %s".formatted(pair, content), e);
      }
      assertSame(content, arrived);
    }
  }

  static void assertSame(TestContent content, ChangeCargo arrived) {
    assertThat(CargoDigest.toHex(CargoDigest.of(arrived)))
        .as(content.name())
        .isEqualTo(CargoDigest.toHex(CargoDigest.of(content.cargo())));
    assertThat(arrived.transactionId())
        .as(content.name())
        .isEqualTo(content.cargo().transactionId());
    assertThat(arrived.baseSnapshot()).as(content.name()).isEqualTo(content.cargo().baseSnapshot());
  }
}
