package io.drayage.codec;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class CodecRegistryTest {
  private record Named(int id, String name) implements Codec {}

  private static final List<Named> OURS = List.of(new Named(2, "two"), new Named(1, "one"));

  private static CodecRegistry<Named> with(Named... added) {
    List<Named> all = Stream.concat(OURS.stream(), Stream.of(added)).toList();
    return new CodecRegistry<>("thing", all, OURS::contains);
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
        .withMessage("thing number 3 is unknown (known: one (1), two (2))");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> with().ofName("twoo"))
        .withMessage("thing 'twoo' is unknown (known: one (1), two (2))");
  }

  @Test
  void aTakenNameIsRefusedWithBothClasses() {
    assertThatIllegalStateException()
        .isThrownBy(() -> with(new Named(130, "two")))
        .withMessage(
            "%1$s cannot be the thing 'two' (130): %1$s already is 'two' (2)",
            Named.class.getName());
  }

  @Test
  void aTakenNumberIsRefusedWithBothClasses() {
    assertThatIllegalStateException()
        .isThrownBy(() -> with(new Named(130, "mine"), new Named(130, "yours")))
        .withMessage(
            "%1$s cannot be the thing 'yours' (130): %1$s already is 'mine' (130)",
            Named.class.getName());
  }

  @ParameterizedTest
  @ValueSource(ints = {Integer.MIN_VALUE, -1, 0, 3, 127, 256, Integer.MAX_VALUE})
  void usersMayTakeNoNumberOutsideTheirs(int id) {
    assertThatIllegalStateException()
        .isThrownBy(() -> with(new Named(id, "mine")))
        .withMessageContaining(
            "cannot be the thing 'mine' (%d): its number must be 128 to 255", id);
  }

  @ParameterizedTest
  @ValueSource(ints = {-1, 0, 128, 255})
  void thisLibraryTakesNoNumberOfUsers(int id) {
    assertThatIllegalStateException()
        .isThrownBy(
            () -> new CodecRegistry<Named>("thing", List.of(new Named(id, "ours")), codec -> true))
        .withMessageContaining("its number must be 1 to 127");
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
    assertThatIllegalStateException()
        .isThrownBy(() -> with(new Named(130, name)))
        .withMessageContaining("its name must match");
  }

  /** Frozen: cargoes were written with them. */
  @Test
  void codecsKeepTheirNumbers() {
    assertThat(ours(Serializers.all())).containsExactly("2 raw", "9 columnar");
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
