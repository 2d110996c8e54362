package io.drayage.transport.netty.http;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFutureListener;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.SimpleChannelInboundHandler;
import io.netty.handler.codec.http.DefaultFullHttpResponse;
import io.netty.handler.codec.http.FullHttpRequest;
import io.netty.handler.codec.http.FullHttpResponse;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpHeaderValues;
import io.netty.handler.codec.http.HttpMethod;
import io.netty.handler.codec.http.HttpResponseStatus;
import io.netty.handler.codec.http.HttpVersion;
import io.netty.util.concurrent.ScheduledFuture;
import java.lang.System.Logger.Level;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** One connection of a {@link PageServer}: reads one request, answers it, and closes. */
final class PageHandler extends SimpleChannelInboundHandler<FullHttpRequest> {
  private static final System.Logger LOG = System.getLogger(PageHandler.class.getName());
  private static final String NO_SNIFFING = "X-Content-Type-Options";
  private static final int BAD_REQUEST = 400;
  private static final int NOT_ALLOWED = 405;
  private static final int FAILED = 500;
  private static final int BUSY = 503;

  private final Channel channel;
  private final Function<String, @Nullable HttpPage> atOnce;
  private final Function<String, HttpPage> pages;
  private final Executor threads;

  /** Closes the connection; replaced when the request is complete. Event loop only. */
  private ScheduledFuture<?> deadline;

  private boolean asked;

  PageHandler(
      Channel channel,
      Function<String, @Nullable HttpPage> atOnce,
      Function<String, HttpPage> pages,
      Executor threads) {
    this.channel = channel;
    this.atOnce = atOnce;
    this.pages = pages;
    this.threads = threads;
    this.deadline = closeAfter(PageServer.REQUEST_S);
    channel.closeFuture().addListener(closed -> deadline.cancel(false));
  }

  private ScheduledFuture<?> closeAfter(int seconds) {
    return channel.eventLoop().schedule(() -> close(channel), seconds, TimeUnit.SECONDS);
  }

  /** Closes a channel. Its close future completes after that. */
  @SuppressWarnings("FutureReturnValueIgnored")
  static void close(Channel channel) {
    channel.close();
  }

  @Override
  protected void channelRead0(ChannelHandlerContext context, FullHttpRequest request) {
    if (asked) {
      return; // One request for each connection.
    }
    asked = true;
    deadline.cancel(false);
    deadline = closeAfter(PageServer.ANSWER_S);
    boolean isHead = request.method().equals(HttpMethod.HEAD);
    if (request.decoderResult().isFailure()) {
      answer(HttpPage.text(BAD_REQUEST, "this is not HTTP\n"), false);
    } else if (!isHead && !request.method().equals(HttpMethod.GET)) {
      answer(HttpPage.text(NOT_ALLOWED, "only GET and HEAD\n"), false);
    } else {
      show(path(request.uri()), isHead);
    }
  }

  private static String path(String uri) {
    int query = uri.indexOf('?');
    return query < 0 ? uri : uri.substring(0, query);
  }

  private void show(String path, boolean isHead) {
    HttpPage known = atOnce.apply(path);
    if (known != null) {
      answer(known, isHead);
      return;
    }
    try {
      threads.execute(() -> answer(make(path), isHead));
    } catch (RejectedExecutionException e) {
      answer(HttpPage.text(BUSY, "too many requests at once\n"), isHead);
    }
  }

  private HttpPage make(String path) {
    try {
      return pages.apply(path);
    } catch (RuntimeException e) {
      LOG.log(Level.WARNING, path + " cannot be shown", e);
      return HttpPage.text(FAILED, e + "\n");
    }
  }

  private void answer(HttpPage page, boolean isHead) {
    ByteBuf body = Unpooled.wrappedBuffer(page.body().getBytes(StandardCharsets.UTF_8));
    FullHttpResponse response =
        new DefaultFullHttpResponse(
            HttpVersion.HTTP_1_1,
            HttpResponseStatus.valueOf(page.status()),
            isHead ? Unpooled.EMPTY_BUFFER : body);
    response
        .headers()
        .set(HttpHeaderNames.CONTENT_TYPE, page.contentType())
        .set(HttpHeaderNames.CONTENT_LENGTH, body.readableBytes())
        .set(HttpHeaderNames.CACHE_CONTROL, HttpHeaderValues.NO_STORE)
        .set(HttpHeaderNames.CONTENT_SECURITY_POLICY, page.policy())
        .set(NO_SNIFFING, "nosniff")
        .set(HttpHeaderNames.CONNECTION, HttpHeaderValues.CLOSE);
    channel.writeAndFlush(response).addListener(ChannelFutureListener.CLOSE);
  }

  /** Closes the connection to a peer that does not use TLS, or is gone. */
  @Override
  public void exceptionCaught(ChannelHandlerContext context, Throwable cause) {
    LOG.log(Level.DEBUG, "{0}: {1}", channel.remoteAddress(), cause.toString());
    close(channel);
  }
}
