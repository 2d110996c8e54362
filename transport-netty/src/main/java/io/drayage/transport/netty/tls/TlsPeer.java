package io.drayage.transport.netty.tls;

import io.drayage.frame.Fault;
import io.drayage.frame.ShipmentException;
import io.drayage.transport.TlsOptions;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.handler.ssl.NotSslRecordException;
import io.netty.handler.ssl.SslHandshakeCompletionEvent;
import io.netty.handler.ssl.SslHandshakeTimeoutException;
import java.util.regex.Pattern;
import javax.net.ssl.SSLException;
import org.jspecify.annotations.Nullable;

/**
 * Explains, on a client, in one line why a handshake failed. Removed once the server has sent
 * something: in TLS 1.3 a server checks the client's certificate when the handshake is done for the
 * client. A later failure is a lost connection like any other.
 */
final class TlsPeer extends ChannelInboundHandlerAdapter {
  /** Alerts that would come again in another attempt, as the JDK and BoringSSL spell them. */
  private static final Pattern LASTING_ALERT =
      Pattern.compile(
          "(?i)certificate|unknown.ca|access.denied|protocol.version|handshake.failure");

  /** Alerts of a server that wants another certificate, or any certificate. */
  private static final Pattern CERTIFICATE_ALERT = Pattern.compile("(?i)certificate|unknown.ca");

  /** Alerts if no authority vouches; the JDK reports an absent certificate as a bad one. */
  private static final Pattern NOT_VOUCHED_FOR =
      Pattern.compile("(?i)certificate.required|unknown.ca");

  private final String name;
  private final TlsOptions.@Nullable Identity own;

  /**
   * @param name expected in the server's certificate
   * @param own the identity to show if the server asks; null if there is none
   */
  TlsPeer(String name, TlsOptions.@Nullable Identity own) {
    this.name = name;
    this.own = own;
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

  private ShipmentException explained(SSLException tls, String peer) {
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
        "no TLS with %s: %s".formatted(peer, ofAlert(message)),
        tls);
  }

  /** Explains an alert. It names no certificate, and concerns that of this side. */
  private String ofAlert(String message) {
    if (!CERTIFICATE_ALERT.matcher(message).find()) {
      return message;
    }
    if (own == null) {
      return "it requires a certificate: name one with --tls-cert and --tls-key (%s)"
          .formatted(message);
    }
    String why =
        NOT_VOUCHED_FOR.matcher(message).find()
            ? "none of its authorities vouches for"
            : "it does not accept";
    return "%s the certificate in %s (%s)".formatted(why, own.certificateChain(), message);
  }
}
