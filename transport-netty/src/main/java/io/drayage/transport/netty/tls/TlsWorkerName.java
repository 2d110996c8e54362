package io.drayage.transport.netty.tls;

import io.drayage.cargo.Names;
import io.drayage.frame.Fault;
import io.drayage.frame.ShipmentException;
import io.drayage.frame.ShipmentHeader;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.handler.ssl.SslHandler;
import io.netty.handler.ssl.SslHandshakeCompletionEvent;
import io.netty.util.AttributeKey;
import io.netty.util.internal.logging.InternalLogger;
import io.netty.util.internal.logging.InternalLoggerFactory;
import java.security.cert.Certificate;
import java.security.cert.CertificateParsingException;
import java.security.cert.X509Certificate;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Set;
import javax.net.ssl.SSLException;
import javax.net.ssl.SSLPeerUnverifiedException;
import org.jspecify.annotations.Nullable;

/**
 * Determines, on a server, the name of the worker at the other end, by its verified certificate.
 * Refuses names that are not allowed, and logs each refusal with its reason in one line.
 */
public final class TlsWorkerName extends ChannelInboundHandlerAdapter {
  private static final InternalLogger LOG = InternalLoggerFactory.getInstance(TlsWorkerName.class);

  private static final AttributeKey<String> NAME = AttributeKey.valueOf("drayage.worker");

  /** The kind of a subject alternative name that is a DNS name (RFC 5280, 4.2.1.6). */
  private static final Integer DNS_NAME = 2;

  private final SslHandler tls;
  private final Set<String> allowed;

  /**
   * @param allowed the names that may ship; empty: any
   */
  TlsWorkerName(SslHandler tls, Set<String> allowed) {
    this.tls = tls;
    this.allowed = allowed;
  }

  /** Returns the header with the proven name of the worker, if it had to prove one. */
  public static ShipmentHeader proven(Channel channel, ShipmentHeader header) {
    String name = of(channel);
    return name == null ? header : header.withWorker(name);
  }

  /** Returns the name that the worker has proved; null if it did not have to. */
  public static @Nullable String of(Channel channel) {
    return channel.attr(NAME).get();
  }

  @Override
  public void userEventTriggered(ChannelHandlerContext context, Object event) {
    if (event instanceof SslHandshakeCompletionEvent done) {
      if (!done.isSuccess()) {
        tellFailure(context.channel(), done.cause());
      } else if (!allowed.isEmpty()) {
        try {
          context.channel().attr(NAME).set(allowedName(context.channel()));
        } catch (ShipmentException e) {
          LOG.info("{}", e.getMessage());
          context.fireExceptionCaught(e);
        }
      }
    }
    context.fireUserEventTriggered(event);
  }

  /** Logs a failed handshake; the alert tells the peer less. Does not log a peer that goes away. */
  private static void tellFailure(Channel channel, Throwable cause) {
    SSLException failure = TlsDistrust.find(SSLException.class, cause);
    if (failure != null) {
      String distrust = TlsDistrust.of(failure);
      LOG.info(
          "no TLS with {}: {}",
          channel.remoteAddress(),
          distrust == null ? failure.getMessage() : distrust);
    }
  }

  private String allowedName(Channel channel) throws ShipmentException {
    List<String> names = dnsNames();
    for (String name : names) {
      for (String known : allowed) {
        if (known.equalsIgnoreCase(name)) {
          return known;
        }
      }
    }
    throw new ShipmentException(
        Fault.REFUSED,
        "the certificate of %s names %s, none of which may ship here"
            .formatted(channel.remoteAddress(), Names.printable(names.toString())));
  }

  private List<String> dnsNames() throws ShipmentException {
    List<String> names = new ArrayList<>();
    try {
      Certificate own = tls.engine().getSession().getPeerCertificates()[0];
      Collection<List<?>> all = ((X509Certificate) own).getSubjectAlternativeNames();
      for (List<?> kindAndName : all == null ? List.<List<?>>of() : all) {
        if (DNS_NAME.equals(kindAndName.get(0))) {
          names.add((String) kindAndName.get(1));
        }
      }
      return names;
    } catch (SSLPeerUnverifiedException | CertificateParsingException e) {
      throw new ShipmentException(
          Fault.REFUSED, "the worker's certificate cannot be read: " + e.getMessage(), e);
    }
  }
}
