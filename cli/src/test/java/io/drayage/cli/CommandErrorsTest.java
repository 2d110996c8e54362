package io.drayage.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.drayage.codec.Codec;
import io.drayage.codec.CodecRegistry;
import java.util.List;
import java.util.ServiceConfigurationError;
import org.junit.jupiter.api.Test;

class CommandErrorsTest {
  private record Named(int id, String name) implements Codec {}

  @Test
  void aUsersCodecWhoseNameIsTakenIsNamedInOneLine() {
    Error thrown = new AssertionError("nothing was refused");
    try {
      CodecRegistry.of("compressor", List.of(new Named(2, "lz4"), new Named(3, "lz4")));
    } catch (IllegalStateException e) {
      thrown = new ExceptionInInitializerError(e); // as the registry's class throws it
    }

    assertThat(CommandErrors.unusableCodec(thrown))
        .startsWith("drayage: ")
        .contains("cannot be the compressor 'lz4' (3)")
        .hasLineCount(1);
  }

  @Test
  void aClassThatIsNotThereIsNamedInOneLine() {
    Error thrown = new ServiceConfigurationError("Provider my.Codec not found");

    assertThat(CommandErrors.unusableCodec(thrown))
        .isEqualTo("drayage: Provider my.Codec not found");
  }
}
