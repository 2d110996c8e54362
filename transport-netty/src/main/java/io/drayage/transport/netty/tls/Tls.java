package io.drayage.transport.netty.tls;

import io.drayage.transport.TlsOptions;
import io.drayage.transport.TransportOptions;
import io.netty.buffer.PooledByteBufAllocator;
import io.netty.channel.AdaptiveRecvByteBufAllocator;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandler;
import io.netty.channel.socket.SocketChannel;
import io.netty.handler.ssl.ClientAuth;
import io.netty.handler.ssl.OpenSslContextOption;
import io.netty.handler.ssl.SslContext;
import io.netty.handler.ssl.SslContextBuilder;
import io.netty.handler.ssl.SslHandler;
import io.netty.handler.ssl.SslProvider;
import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.cert.Certificate;
import java.security.cert.CertificateException;
import java.security.cert.CertificateFactory;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import javax.net.ssl.SSLException;
import javax.net.ssl.TrustManagerFactory;
import org.jspecify.annotations.Nullable;

/**
 * Secures the connections of one client or server: puts TLS in front of the other handlers of a
 * fresh channel. Bytes that are written before the end of the handshake wait for that end. A
 * separate thread does the signing, verifying and key agreement, a millisecond or two of every
 * handshake. Thread-safe.
 */
public final class Tls implements AutoCloseable {
  private static final String PROTOCOL = "TLSv1.3";

  /** Least bytes to read. A record is 16 KiB at most; several at once save calls. */
  private static final int MIN_READ_BYTES = 4 << 10;

  private static final int FIRST_READ_BYTES = 64 << 10;
  private static final int MAX_READ_BYTES = 256 << 10;

  private static final String VERIFY_NAME = "HTTPS";
  private static final String IGNORE_NAME = "";

  private final Consumer<SocketChannel> setUp;
  private final ExecutorService handshakes;

  private Tls(Consumer<SocketChannel> setUp, ExecutorService handshakes) {
    this.setUp = setUp;
    this.handshakes = handshakes;
  }

  private static Tls none() {
    return new Tls(channel -> {}, newThread());
  }

  /** Makes an executor whose thread starts with the first task. */
  private static ExecutorService newThread() {
    return Executors.newSingleThreadExecutor(
        task -> {
          Thread thread = new Thread(task, "netty-handshake");
          thread.setDaemon(true);
          return thread;
        });
  }

  /** Puts TLS in front of a fresh channel, if TLS is wanted. */
  public void secure(SocketChannel channel) {
    setUp.accept(channel);
  }

  /** Ends the thread. Must come after the end of the event loops. */
  @Override
  public void close() {
    handshakes.shutdownNow();
  }

  /**
   * Returns the TLS of a client; it does nothing without the options of TLS.
   *
   * @throws IllegalArgumentException if a file cannot be used, naming the file, or if the key does
   *     not fit the certificate
   */
  public static Tls ofClient(
      TransportOptions options, InetSocketAddress address, TlsEngine engine) {
    TlsOptions tls = options.tls();
    if (tls == null) {
      return none();
    }
    TlsContext context = new TlsContext(files(tls), () -> clientContext(tls, engine));
    String name = tls.peerName() == null ? address.getHostString() : tls.peerName();
    ExecutorService handshakes = newThread();
    return new Tls(
        channel -> {
          SslHandler handler =
              context.current().newHandler(channel.alloc(), name, address.getPort(), handshakes);
          add(channel, options, handler, new TlsPeer(name, tls.identity()));
        },
        handshakes);
  }

  /**
   * Returns the TLS of a server; it does nothing without the options of TLS.
   *
   * @throws IllegalArgumentException if there is no certificate, if a file cannot be used, or if
   *     the key does not fit the certificate
   */
  public static Tls ofServer(TransportOptions options, TlsEngine engine) {
    TlsOptions tls = options.tls();
    if (tls == null) {
      return none();
    }
    TlsOptions.Identity own = tls.identity();
    if (own == null) {
      throw new IllegalArgumentException("a server needs a certificate: TlsOptions.ofServer");
    }
    TlsContext context = new TlsContext(files(tls), () -> serverContext(tls, own, engine));
    ExecutorService handshakes = newThread();
    return new Tls(
        channel -> {
          SslHandler handler = context.current().newHandler(channel.alloc(), handshakes);
          channel.pipeline().addLast(new TlsDoor(handler));
          add(channel, options, handler, new TlsWorkerName(handler, tls.workers()));
        },
        handshakes);
  }

  private static SslContext clientContext(TlsOptions tls, TlsEngine engine) {
    SslContextBuilder builder =
        SslContextBuilder.forClient()
            .endpointIdentificationAlgorithm(tls.verifyPeerName() ? VERIFY_NAME : IGNORE_NAME);
    TlsOptions.Identity own = tls.identity();
    if (own != null) {
      builder.keyManager(readable(own.certificateChain()), readable(own.privateKey()));
      TlsIdentity.check(own);
    }
    return build(builder, tls, engine);
  }

  private static SslContext serverContext(
      TlsOptions tls, TlsOptions.Identity own, TlsEngine engine) {
    SslContextBuilder builder =
        SslContextBuilder.forServer(readable(own.certificateChain()), readable(own.privateKey()))
            .clientAuth(tls.workers().isEmpty() ? ClientAuth.NONE : ClientAuth.REQUIRE);
    TlsIdentity.check(own);
    return build(builder, tls, engine);
  }

  private static List<Path> files(TlsOptions tls) {
    List<Path> files = new ArrayList<>();
    TlsOptions.Identity own = tls.identity();
    if (own != null) {
      files.add(own.certificateChain());
      files.add(own.privateKey());
    }
    if (tls.trusted() != null) {
      files.add(tls.trusted());
    }
    return files;
  }

  private static SslContext build(SslContextBuilder builder, TlsOptions tls, TlsEngine engine) {
    builder.trustManager(TlsTrust.of(authorities(tls.trusted())));
    SslProvider provider = engine.provider();
    if (provider != SslProvider.JDK) {
      // Tasks run on other threads, as with the JDK.
      builder.option(OpenSslContextOption.USE_TASKS, true);
    }
    try {
      return builder.sslProvider(provider).protocols(PROTOCOL).build();
    } catch (SSLException e) {
      throw new IllegalArgumentException("%s cannot be used: %s".formatted(tls, e.getMessage()), e);
    }
  }

  /**
   * Returns the authorities that vouch for peers.
   *
   * @param file certificates of the authorities; null: the JDK's trusted authorities
   */
  private static TrustManagerFactory authorities(@Nullable Path file) {
    try {
      TrustManagerFactory factory =
          TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
      factory.init(file == null ? null : keyStore(file));
      return factory;
    } catch (GeneralSecurityException | IOException e) {
      throw new IllegalArgumentException(
          "cannot use the authorities of %s: %s".formatted(file, e.getMessage()), e);
    }
  }

  private static KeyStore keyStore(Path file) throws GeneralSecurityException, IOException {
    KeyStore store = KeyStore.getInstance(KeyStore.getDefaultType());
    store.load(null, null);
    try (InputStream in = Files.newInputStream(readable(file).toPath())) {
      for (Certificate one : CertificateFactory.getInstance("X.509").generateCertificates(in)) {
        store.setCertificateEntry("authority " + store.size(), one);
      }
    }
    if (store.size() == 0) {
      throw new CertificateException("there is no certificate");
    }
    return store;
  }

  private static File readable(Path file) {
    if (!Files.isReadable(file)) {
      throw new IllegalArgumentException("cannot read %s".formatted(file));
    }
    return file.toFile();
  }

  private static void add(
      SocketChannel channel, TransportOptions options, SslHandler handler, ChannelHandler peer) {
    handler.setHandshakeTimeout(options.openTimeout().toNanos(), TimeUnit.NANOSECONDS);
    channel.config().setAllocator(PooledByteBufAllocator.DEFAULT);
    channel
        .config()
        .setRecvByteBufAllocator(
            new AdaptiveRecvByteBufAllocator(MIN_READ_BYTES, FIRST_READ_BYTES, MAX_READ_BYTES));
    channel.pipeline().addLast(handler).addLast(peer);
  }

  /** Checks whether this channel uses TLS. */
  public static boolean secures(Channel channel) {
    return channel.pipeline().get(SslHandler.class) != null;
  }
}
