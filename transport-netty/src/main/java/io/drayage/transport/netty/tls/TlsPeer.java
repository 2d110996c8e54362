package io.drayage.transport.netty.tls;

import io.drayage.frame.Fault;
import io.drayage.frame.ShipmentException;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.handler.ssl.NotSslRecordException;
import io.netty.handler.ssl.SslHandshakeCompletionEvent;
import io.netty.handler.ssl.SslHandshakeTimeoutException;
import java.util.regex.Pattern;
import javax.net.ssl.SSLException;

/**
 * Explains, on a client, in one line why a handshake failed. Removed once the server has sent
 * something: in TLS 1.3 a server looks at the client's certificate when the handshake is done for
 * the client. What breaks later is a lost connection like any other.
 */
final class TlsPeer extends ChannelInboundHandlerAdapter {
  /** Alerts that another attempt would not change, as the JDK and as BoringSSL spell them. */
  private static final Pattern LASTING_ALERT =
      Pattern.compile(
          "(?i)certificate|unknown.ca|access.denied|protocol.version|handshake.failure");

  private final String name;

  /**
   * @param name what the server's certificate should hold
   */
  TlsPeer(String name) {
    this.name = name;
  }

  @Override
  public void userEventTriggered(ChannelHandlerContext context, Object event) {
    if (event instanceof SslHandshakeCompletionEvent done && !done.isSuccess()) {
      exceptionCaught(context, done.cause());
    }
    context.fireUserEventTriggered(event);
  }

  @Override
  public void channelRead(ChannelHandlerContext context, Object message) {
    context.fireChannelRead(message);
    if (!context.isRemoved()) {
      context.pipeline().remove(this);
    }
  }

  @Override
  public void exceptionCaught(ChannelHandlerContext context, Throwable cause) {
    SSLException tls = TlsDistrust.find(SSLException.class, cause);
    if (tls == null) {
      context.fireExceptionCaught(cause);
      return;
    }
    String peer = "%s ('%s')".formatted(context.channel().remoteAddress(), name);
    context.fireExceptionCaught(explained(tls, peer));
  }

  private static ShipmentException explained(SSLException tls, String peer) {
    if (tls instanceof NotSslRecordException) {
      return new ShipmentException(
          Fault.REFUSED,
          "%s does not speak TLS: have it listen with --tls-cert and --tls-key, or connect without --tls-ca"
              .formatted(peer),
          tls);
    }
    if (tls instanceof SslHandshakeTimeoutException) {
      return new ShipmentException(
          Fault.PEER_SILENT, "no TLS with %s: %s".formatted(peer, tls.getMessage()), tls);
    }
    String distrust = TlsDistrust.of(tls);
    if (distrust != null) {
      return new ShipmentException(
          Fault.REFUSED, "%s is not trusted: %s".formatted(peer, distrust), tls);
    }
    String message = String.valueOf(tls.getMessage());
    boolean lasting = LASTING_ALERT.matcher(message).find();
    return new ShipmentException(
        lasting ? Fault.REFUSED : Fault.PEER_GONE,
        "no TLS with %s: %s".formatted(peer, message),
        tls);
  }
}
