package io.drayage.bench.ceiling;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.drayage.transport.netty.NativeIo;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class RawSinkTest {
  private final InetSocketAddress anyPort =
      new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);

  @Test
  void movesBytesAgainAndAgain() throws Exception {
    try (RawSink sink = RawSink.listen(NativeIo.best(), anyPort);
        RawSource source = RawSource.connect(NativeIo.best(), sink.address())) {
      assertThat(source.send(1)).isPositive();
      assertThat(source.send(50 << 20)).isPositive();
    }
  }

  @Test
  void failsWhenTheSinkIsGone() throws Exception {
    RawSink sink = RawSink.listen(NativeIo.best(), anyPort);
    InetSocketAddress address = sink.address();
    try (RawSource source = RawSource.connect(NativeIo.best(), address)) {
      sink.close();

      assertThatThrownBy(() -> source.send(50 << 20))
          .isInstanceOf(IOException.class)
          .hasMessageContaining("gone");
    }
    assertThatThrownBy(() -> RawSource.connect(NativeIo.best(), address))
        .hasMessageContaining("cannot connect");
  }
}
