package io.drayage.baseline.stream;

import io.drayage.frame.ShipmentHeader;
import io.drayage.receive.PipelineReceiver;
import io.drayage.receive.Reception;
import io.drayage.transport.ShipmentHandler;

/** Receives streams; a {@link StreamSender} sends them. */
public final class StreamPipeline implements PipelineReceiver {
  private final StreamOptions options;

  /** Creates a receiver of streams as published. */
  public StreamPipeline() {
    this(StreamOptions.PUBLISHED);
  }

  /**
   * @param options the differences from the published pipeline
   */
  public StreamPipeline(StreamOptions options) {
    this.options = options;
  }

  @Override
  public ShipmentHeader.Pipeline pipeline() {
    return ShipmentHeader.Pipeline.STREAM;
  }

  @Override
  public ShipmentHandler receive(Reception reception) {
    return new StreamReceiver(reception, options);
  }
}
