package io.drayage.bench.peers.socket;

import com.github.luben.zstd.ZstdInputStreamNoFinalizer;
import com.github.luben.zstd.ZstdOutputStreamNoFinalizer;
import io.drayage.baseline.stream.StreamSerializer;
import io.drayage.bench.peer.PeerCodec;
import io.drayage.cargo.ChangeCargo;
import io.drayage.codec.Serializer;
import io.drayage.codec.Serializers;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import org.jspecify.annotations.Nullable;

/**
 * Writes a cargo to a stream and reads it, by Kryo as this project tunes it; Zstandard's own
 * threads compress. Immutable.
 *
 * @param level of Zstandard; null without Zstandard
 */
record SocketCodec(Serializer serializer, @Nullable Integer level) {
  private static final String ZSTD_MT = "zstd-mt";

  /** Zstandard's fastest level above zero, as in {@code netty:raw+zstd:1}. Not swept. */
  private static final int DEFAULT_LEVEL = 1;

  static SocketCodec of(PeerCodec codec) {
    Integer level = codec.level() == null ? (Integer) DEFAULT_LEVEL : codec.level();
    return new SocketCodec(
        Serializers.ofName(codec.serializer()), codec.compressor().equals(ZSTD_MT) ? level : null);
  }

  /** Writes a whole cargo; {@code out} stays open. */
  void write(ChangeCargo cargo, OutputStream out) throws IOException {
    if (level == null) {
      StreamSerializer.write(serializer, cargo, out);
      return;
    }
    try (ZstdOutputStreamNoFinalizer zstd = new ZstdOutputStreamNoFinalizer(out, level)) {
      zstd.setCloseFrameOnFlush(false);
      zstd.setWorkers(Runtime.getRuntime().availableProcessors());
      StreamSerializer.write(serializer, cargo, zstd);
    }
  }

  /** Reads a cargo, with one thread of Zstandard; {@code in} is closed. */
  ChangeCargo read(InputStream in) throws IOException {
    try (InputStream plain = level == null ? in : new ZstdInputStreamNoFinalizer(in)) {
      return StreamSerializer.read(serializer, plain, Runtime.getRuntime().maxMemory());
    }
  }
}
