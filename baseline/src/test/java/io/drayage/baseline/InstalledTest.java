package io.drayage.baseline;

import static org.assertj.core.api.Assertions.assertThat;

import io.drayage.baseline.stream.StreamPipeline;
import io.drayage.frame.ShipmentException;
import io.drayage.frame.ShipmentHeader;
import io.drayage.receive.AllowedCodecs;
import io.drayage.receive.PipelineReceivers;
import org.junit.jupiter.api.Test;

/** A node that finds this module on its class path. */
class InstalledTest {
  @Test
  void onlySerializersThatReadDataAreAllowedByDefault() {
    assertThat(AllowedCodecs.DATA_ONLY.serializers())
        .containsExactlyInAnyOrder("raw", "columnar", "msgpack");
  }

  @Test
  void streamsAreReceived() throws ShipmentException {
    assertThat(PipelineReceivers.installed().of(ShipmentHeader.Pipeline.STREAM))
        .isInstanceOf(StreamPipeline.class);
  }
}
