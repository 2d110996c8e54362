package io.drayage.codec;

import org.junit.jupiter.api.Tag;

/** The same for streams. */
@Tag("nightly")
class HostileStreamsTest extends HostileBytesTest {
  @Override
  Class<?> main() {
    return HostileStreams.class;
  }
}
