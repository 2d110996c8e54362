package io.drayage.transport.netty;

import io.drayage.frame.FrameHeader;
import io.drayage.frame.FrameType;
import io.drayage.frame.ShipmentException;
import io.drayage.frame.TransactionAnswer;
import io.drayage.transport.TransportOptions;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.socket.SocketChannel;
import java.nio.ByteBuffer;
import java.util.concurrent.CompletableFuture;

/**
 * A connection on the worker's side for one request, about a transaction of several workers, and
 * its answer. Both sides send heartbeats until the answer. Its state belongs to its event loop.
 */
final class RequestConnection extends FrameConnection {
  private final ByteBuffer request;
  private final CompletableFuture<TransactionAnswer> answer;

  /** Takes over a fresh channel, before it connects. */
  RequestConnection(
      SocketChannel channel,
      ByteBuffer request,
      CompletableFuture<TransactionAnswer> answer,
      TransportOptions options) {
    super(channel, new FrameBuffers(0), options);
    this.request = request;
    this.answer = answer;
  }

  @Override
  public void channelActive(ChannelHandlerContext context) {
    Channels.write(channel, request);
  }

  @Override
  public void beforeFrame(FrameType type, int frameBytes) {
    // The reader decides which frames are answers.
  }

  @Override
  public void onFrame(FrameType type, ByteBuffer frame, Runnable recycle) throws ShipmentException {
    try {
      ByteBuffer payload = FrameHeader.verify(frame);
      if (type != FrameType.HEARTBEAT) {
        answer.complete(TransactionAnswer.ofPayload(type, payload));
        Channels.close(channel);
      }
    } finally {
      recycle.run();
    }
  }

  @Override
  public void onBadFrame(ShipmentException cause) {
    answer.completeExceptionally(
        cause.isStatedByPeer() ? cause : cause.withOutcome(ShipmentException.Outcome.UNKNOWN));
    Channels.close(channel);
  }

  @Override
  protected void onGone(ShipmentException cause) {
    onBadFrame(cause);
  }

  @Override
  protected void onSilence(ShipmentException cause) {
    onBadFrame(cause);
  }

  @Override
  protected void onHeartbeatDue() {
    Channels.heartbeat(channel, 0);
  }
}
