package io.drayage.codec;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class CodecRegistryTest {
  private record Named(int id, String name) implements Codec {}

  private static final List<Named> OURS = List.of(new Named(2, "two"), new Named(1, "one"));

  private static final Map<String, String> ARTIFACTS = Map.of("three", "a:three", "one", "a:one");

  private static CodecRegistry<Named> with(Named... found) {
    return new CodecRegistry<>("thing", OURS, List.of(found), List.of(), OURS::contains, ARTIFACTS);
  }

  private static void assertLeftOut(CodecRegistry<Named> registry, String... whys) {
    assertThat(registry.all()).extracting(Named::id).containsExactly(1, 2);
    assertThatIllegalArgumentException()
        .isThrownBy(() -> registry.ofId(77))
        .withMessage(
            "thing number 77 is unknown (known: one (1), two (2); left out: %s); add a:three for three",
            String.join("; ", whys).replace("NAMED", Named.class.getName()));
  }

  @Test
  void findsCodecsByNumberAndName() {
    CodecRegistry<Named> registry = with(new Named(255, "last"), new Named(128, "first-of-users"));

    assertThat(registry.all()).extracting(Named::id).containsExactly(1, 2, 128, 255);
    assertThat(registry.ofId(255).name()).isEqualTo("last");
    assertThat(registry.ofName("first-of-users").id()).isEqualTo(128);
  }

  @Test
  void unknownNumbersAndNamesAreRefusedWithTheKnownOnes() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> with().ofId(3))
        .withMessage("thing number 3 is unknown (known: one (1), two (2)); add a:three for three");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> with().ofName("twoo"))
        .withMessage("thing 'twoo' is unknown (known: one (1), two (2)); add a:three for three");
  }

  @Test
  void namesTheArtifactsThatBringTheOthersOfThisProject() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> Serializers.ofName("columnar"))
        .withMessageContaining("; add io.drayage:drayage-columnar for columnar");
  }

  @Test
  void aNameOfThisLibraryStaysItsOwn() {
    assertLeftOut(
        with(new Named(130, "two")),
        "NAMED cannot be the thing 'two' (130): NAMED already is 'two' (2)");
  }

  @Test
  void ofTwoThatClaimOneNumberNeitherIsUsed() {
    assertLeftOut(
        with(new Named(130, "mine"), new Named(130, "yours")),
        "NAMED cannot be the thing 'mine' (130): NAMED already is 'yours' (130)",
        "NAMED cannot be the thing 'yours' (130): NAMED already is 'mine' (130)");
  }

  @Test
  void thoseThatClashWithNothingGoOn() {
    CodecRegistry<Named> registry =
        with(new Named(130, "mine"), new Named(131, "one"), new Named(132, "ours"));

    assertThat(registry.all()).extracting(Named::id).containsExactly(1, 2, 130, 132);
  }

  @ParameterizedTest
  @ValueSource(ints = {Integer.MIN_VALUE, -1, 0, 3, 127, 256, Integer.MAX_VALUE})
  void usersMayTakeNoNumberOutsideTheirs(int id) {
    assertLeftOut(
        with(new Named(id, "mine")),
        "NAMED cannot be the thing 'mine' (" + id + "): its number must be 128 to 255");
  }

  @ParameterizedTest
  @ValueSource(ints = {-1, 0, 128, 255})
  void thisProjectTakesNoNumberOfUsers(int id) {
    CodecRegistry<Named> registry =
        new CodecRegistry<>(
            "thing", OURS, List.of(new Named(id, "ours")), List.of(), codec -> true, ARTIFACTS);

    assertLeftOut(
        registry, "NAMED cannot be the thing 'ours' (" + id + "): its number must be 1 to 127");
  }

  @Test
  void oneThatDoesNotSayWhatItIsIsLeftOut() {
    Codec silent =
        new Codec() {
          @Override
          public int id() {
            throw new UnsupportedOperationException("ask later");
          }

          @Override
          public String name() {
            return "silent";
          }
        };
    CodecRegistry<Codec> registry =
        new CodecRegistry<>(
            "thing", OURS, List.of(silent), List.of("no file"), codec -> false, Map.of());

    assertThat(registry.all()).hasSize(2);
    assertThatIllegalArgumentException()
        .isThrownBy(() -> registry.ofName("silent"))
        .withMessageContainingAll("no file", "cannot be a thing", "ask later");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "Upper",
        "with space",
        "a+b",
        "a:b",
        "a@b",
        "-a",
        "ä",
        "a_b",
        "0123456789012345678901234567890123"
      })
  void namesThatTheNotationCannotHoldAreRefused(String name) {
    assertThat(with(new Named(130, name)).all()).hasSize(2);
  }

  /** Frozen, because existing cargoes contain the numbers. */
  @Test
  void codecsKeepTheirNumbers() {
    assertThat(ours(Serializers.all())).containsExactly("2 raw");
    assertThat(ours(Compressors.all()))
        .containsExactly("1 none", "2 lz4", "3 lz4hc", "4 zstd", "5 deflate", "6 xz");
  }

  private static List<String> ours(List<? extends Codec> codecs) {
    return codecs.stream()
        .filter(codec -> codec.id() <= Codec.MAX_RESERVED_ID)
        .map(codec -> codec.id() + " " + codec.name())
        .toList();
  }
}
