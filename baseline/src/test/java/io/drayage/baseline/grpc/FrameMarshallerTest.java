package io.drayage.baseline.grpc;

import static io.drayage.testing.Refusals.assertFails;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.protobuf.ByteString;
import com.google.protobuf.BytesValue;
import io.drayage.memory.Lease;
import io.grpc.Drainable;
import io.grpc.KnownLength;
import io.grpc.StatusRuntimeException;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.util.HexFormat;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class FrameMarshallerTest {
  private final FrameMarshaller marshaller = new FrameMarshaller(true);

  @ParameterizedTest
  @ValueSource(ints = {1, 127, 128, 16_383, 16_384, 63_024, (1 << 20) + 24, 4 << 20})
  void writesAndReadsWhatProtobufDoes(int bytes) throws IOException {
    byte[] content = new byte[bytes];
    new Random(bytes).nextBytes(content);
    byte[] protobuf =
        BytesValue.newBuilder().setValue(ByteString.copyFrom(content)).build().toByteArray();
    ByteBuffer direct = ByteBuffer.allocateDirect(bytes).put(content).flip();

    assertThat(drained(direct)).isEqualTo(protobuf);
    assertThat(drained(ByteBuffer.wrap(content))).isEqualTo(protobuf);
    assertThat(marshaller.stream(Lease.ofHeap(direct)).readAllBytes()).isEqualTo(protobuf);
    try (Lease read = marshaller.parse(new Known(protobuf))) {
      assertThat(read.buffer()).isEqualTo(direct);
    }
    assertThatThrownBy(() -> marshaller.parse(new ByteArrayInputStream(protobuf)))
        .hasMessageContaining("a message is compressed");
  }

  private byte[] drained(ByteBuffer frame) throws IOException {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    InputStream message = marshaller.stream(Lease.ofHeap(frame));
    int bytes = message.available();
    assertThat(((Drainable) message).drainTo(out)).isEqualTo(bytes).isEqualTo(out.size());
    assertThat(message.available()).isZero();
    assertThat(message.read()).isEqualTo(-1);
    return out.toByteArray();
  }

  @Test
  void readsAMessageWithoutAFieldAsAnEmptyFrame() {
    assertThat(marshaller.parse(new Known(new byte[0])).remainingBytes()).isZero();
  }

  @ParameterizedTest
  @CsvSource({
    "120100, begins with tag 0x12",
    "0a030000, states 3 bytes and has 2",
    "0a010000, states 1 bytes and has 2",
    "0affffffff7f, 'states 34,359,738,367 bytes and has 0'",
    "0a80, ends within its length",
    "0affffffffff01, more than 5 bytes",
  })
  void refusesByName(String hex, String message) {
    byte[] content = HexFormat.of().parseHex(hex);
    assertFails(() -> marshaller.parse(new Known(content)), StatusRuntimeException.class, message);
  }

  /** A message as gRPC passes it, though in one array. */
  private static final class Known extends ByteArrayInputStream implements KnownLength {
    Known(byte[] content) {
      super(content);
    }
  }
}
