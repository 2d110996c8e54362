package io.drayage.transport.netty.http;

import io.drayage.internal.Begun;
import io.drayage.internal.DaemonThreads;
import io.drayage.transport.TlsOptions;
import io.drayage.transport.netty.internal.BindFailure;
import io.drayage.transport.netty.tls.PemContext;
import io.netty.bootstrap.ServerBootstrap;
import io.netty.channel.Channel;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.ChannelOption;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.nio.NioIoHandler;
import io.netty.channel.socket.SocketChannel;
import io.netty.channel.socket.nio.NioServerSocketChannel;
import io.netty.handler.codec.http.HttpObjectAggregator;
import io.netty.handler.codec.http.HttpServerCodec;
import io.netty.handler.ssl.SslContext;
import io.netty.handler.ssl.SslHandler;
import java.io.IOException;
import java.net.BindException;
import java.net.InetSocketAddress;
import java.util.LinkedHashSet;
import java.util.Set;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Answers GET and HEAD with pages, one request for each connection. Needs {@code
 * io.netty:netty-codec-http} on the class path. Thread-safe.
 *
 * <p>A slow or silent client does not delay others: one event loop reads and writes for all, and no
 * thread waits for a peer. A request has to be complete within {@value #REQUEST_S} s, and the
 * answer read within {@value #ANSWER_S} s. Beyond {@value #MAX_CONNECTIONS} connections the oldest
 * is closed, so that a new one is always accepted. {@value #THREADS} threads make the pages that
 * may wait. While these threads are busy, and {@value #MAX_WAITING} requests wait for them, further
 * requests get 503. Pages that need no waiting are always answered.
 */
public final class PageServer implements AutoCloseable {
  static final int MAX_CONNECTIONS = 64;
  static final int REQUEST_S = 5;
  static final int ANSWER_S = 20;
  static final int THREADS = 2;
  static final int MAX_WAITING = 32;
  private static final int BACKLOG = 128;
  private static final int MAX_LINE_BYTES = 4_096;
  private static final int MAX_HEADERS_BYTES = 8_192;
  private static final int MAX_BODY_BYTES = 4_096;

  private final EventLoopGroup loop;
  private final ThreadPoolExecutor threads;
  private final @Nullable SslContext tls;
  private final Function<String, @Nullable HttpPage> atOnce;
  private final Function<String, HttpPage> pages;
  private final Channel listening;

  /** Open connections, the oldest first. Event loop only. */
  private final Set<Channel> open = new LinkedHashSet<>();

  private PageServer(
      InetSocketAddress address,
      String threadName,
      @Nullable SslContext tls,
      Function<String, @Nullable HttpPage> atOnce,
      Function<String, HttpPage> pages)
      throws IOException {
    this.tls = tls;
    this.atOnce = atOnce;
    this.pages = pages;
    this.loop =
        new MultiThreadIoEventLoopGroup(
            1, new DaemonThreads(threadName), NioIoHandler.newFactory());
    this.threads =
        new ThreadPoolExecutor(
            THREADS,
            THREADS,
            1,
            TimeUnit.MINUTES,
            new ArrayBlockingQueue<>(MAX_WAITING),
            new DaemonThreads(threadName + "-pages"));
    threads.allowCoreThreadTimeOut(true);
    try (Begun begun = new Begun(this::stopThreads)) {
      this.listening = begun.keep(listen(address));
    }
  }

  /**
   * Starts listening.
   *
   * @param threadName prefix of the names of its threads
   * @param tls the certificate to show; null for HTTP without TLS
   * @param atOnce returns the page of a path that needs no waiting; null for other paths
   * @param pages returns the page of any other path; may wait
   * @throws BindException if it cannot listen there, naming the address and the reason
   * @throws IOException if the files of TLS cannot be read
   */
  public static PageServer start(
      InetSocketAddress address,
      String threadName,
      TlsOptions.@Nullable Identity tls,
      Function<String, @Nullable HttpPage> atOnce,
      Function<String, HttpPage> pages)
      throws IOException {
    SslContext secured = tls == null ? null : PemContext.ofServer(tls);
    return new PageServer(address, threadName, secured, atOnce, pages);
  }

  private Channel listen(InetSocketAddress address) throws IOException {
    try {
      return new ServerBootstrap()
          .group(loop)
          .channel(NioServerSocketChannel.class)
          .option(ChannelOption.SO_BACKLOG, BACKLOG)
          .childHandler(
              new ChannelInitializer<SocketChannel>() {
                @Override
                protected void initChannel(SocketChannel channel) {
                  admit(channel);
                }
              })
          .bind(address)
          .sync()
          .channel();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException("interrupted", e);
    } catch (Exception e) { // Netty throws the exception of binding, undeclared.
      throw BindFailure.of(address, e);
    }
  }

  private void admit(SocketChannel channel) {
    while (open.size() >= MAX_CONNECTIONS) {
      Channel oldest = open.iterator().next();
      open.remove(oldest);
      PageHandler.close(oldest);
    }
    open.add(channel);
    channel.closeFuture().addListener(closed -> open.remove(channel));
    if (tls != null) {
      SslHandler handler = tls.newHandler(channel.alloc());
      handler.setHandshakeTimeout(REQUEST_S, TimeUnit.SECONDS);
      channel.pipeline().addLast(handler);
    }
    channel
        .pipeline()
        .addLast(new HttpServerCodec(MAX_LINE_BYTES, MAX_HEADERS_BYTES, MAX_BODY_BYTES))
        .addLast(new HttpObjectAggregator(MAX_BODY_BYTES))
        .addLast(new PageHandler(channel, atOnce, pages, threads));
  }

  /** Returns the address on which it listens. */
  public InetSocketAddress address() {
    return (InetSocketAddress) listening.localAddress();
  }

  private void stopThreads() {
    threads.shutdownNow();
    var unused = loop.shutdownGracefully(0, 1, TimeUnit.SECONDS);
  }

  /** Stops listening, and ends all connections. */
  @Override
  public void close() {
    listening.close().awaitUninterruptibly();
    stopThreads();
  }
}
