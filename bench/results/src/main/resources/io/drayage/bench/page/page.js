// Draws the charts, sorts and copies the tables. The page contains their data as JSON; see Chart.java.
(() => {
  'use strict';
  const root = document.documentElement;
  const NARROW = 560;
  const exporting = location.hash === '#png';
  const EXPORT_WIDTH = 920;

  const color = name => getComputedStyle(root).getPropertyValue('--' + name).trim();
  const sans = () => color('sans');
  const mono = () => color('mono');
  const faded = (hex, alpha) => hex + Math.round(alpha * 255).toString(16).padStart(2, '0');

  // Numbers ------------------------------------------------------------------------------------------------------

  const digits = value => {
    const size = Math.abs(value);
    if (size === 0) return '0';
    if (size >= 100) return Math.round(value).toLocaleString('en-US');
    return String(Number(value.toPrecision(3)));
  };
  const scaled = (value, steps) => {
    const [step, suffix] = steps.find(([from]) => Math.abs(value) >= from) || steps[steps.length - 1];
    return digits(value / step) + ' ' + suffix;
  };
  const BYTES = [[1e12, 'TB'], [1e9, 'GB'], [1e6, 'MB'], [1e3, 'kB'], [1, 'B']];
  const FORMATS = {
    SECONDS: value => (value !== 0 && Math.abs(value) < 0.0995 ? digits(value * 1e3) + ' ms' : digits(value) + ' s'),
    BYTES: value => scaled(value, BYTES),
    BYTES_PER_SECOND: value => scaled(value, BYTES) + '/s',
    PERCENT: value => digits(value) + ' %',
    RATIO: value => digits(value) + '×',
    COUNT: value => digits(value),
  };
  const format = (axis, value) => FORMATS[axis.unit](value);

  // Charts -------------------------------------------------------------------------------------------------------

  const TONES = { BEST: 'accent', BASE: 'base', PLAIN: 'plain', FAILED: 'bad' };
  const POINTS = ['circle', 'rectRot', 'triangle', 'rect', 'rectRounded'];
  const finite = value => value !== null && value !== undefined && Number.isFinite(value);

  const font = (size, weight, family) => ({ family: family || sans(), size, weight: weight || 'normal' });

  /** Draws over the bars: the spread, every single value, and the label. */
  const marks = spec => ({
    id: 'marks',
    afterDatasetsDraw(chart) {
      const { ctx, scales } = chart;
      const elements = chart.getDatasetMeta(0).data;
      const ink = color('ink');
      ctx.save();
      ctx.textBaseline = 'middle';
      spec.bars.forEach((bar, i) => {
        const y = elements[i].y;
        let end = scales.x.getPixelForValue(0);
        if (finite(bar.value)) {
          end = scales.x.getPixelForValue(Math.max(bar.value, finite(bar.max) ? bar.max : bar.value));
          if (finite(bar.min) && finite(bar.max)) {
            whisker(ctx, scales.x.getPixelForValue(bar.min), scales.x.getPixelForValue(bar.max), y, ink);
          }
          ctx.fillStyle = ink;
          for (const point of bar.points) {
            ctx.globalAlpha = 0.55;
            ctx.beginPath();
            ctx.arc(scales.x.getPixelForValue(point), y, 1.8, 0, 2 * Math.PI);
            ctx.fill();
          }
          ctx.globalAlpha = 1;
        }
        const [strong, ...rest] = bar.label.split('  ');
        const weight = bar.tone === 'BEST' ? 650 : 500;
        ctx.fillStyle = bar.tone === 'FAILED' ? color('bad') : ink;
        ctx.font = `${weight} 12px ${sans()}`;
        ctx.fillText(strong, end + 8, y);
        const width = ctx.measureText(strong).width;
        ctx.fillStyle = color('muted');
        ctx.font = `400 12px ${sans()}`;
        ctx.fillText(rest.join('  '), end + 16 + width, y);
      });
      ctx.restore();
    },
  });

  const whisker = (ctx, from, to, y, ink) => {
    ctx.strokeStyle = ink;
    ctx.lineWidth = 1.2;
    ctx.globalAlpha = 0.75;
    ctx.beginPath();
    ctx.moveTo(from, y);
    ctx.lineTo(to, y);
    ctx.moveTo(from, y - 4);
    ctx.lineTo(from, y + 4);
    ctx.moveTo(to, y - 4);
    ctx.lineTo(to, y + 4);
    ctx.stroke();
    ctx.globalAlpha = 1;
  };

  const upright = (ctx, x, from, to, ink) => {
    ctx.strokeStyle = ink;
    ctx.lineWidth = 1.2;
    ctx.beginPath();
    ctx.moveTo(x, from);
    ctx.lineTo(x, to);
    ctx.moveTo(x - 3, from);
    ctx.lineTo(x + 3, from);
    ctx.moveTo(x - 3, to);
    ctx.lineTo(x + 3, to);
    ctx.stroke();
  };

  const labelWidth = texts => {
    const ctx = document.createElement('canvas').getContext('2d');
    ctx.font = `650 12px ${sans()}`;
    return Math.max(0, ...texts.map(text => ctx.measureText(text).width));
  };

  const valueAxis = axis => ({
    type: axis.log ? 'logarithmic' : 'linear',
    beginAtZero: !axis.log,
    title: { display: true, text: axis.title, color: color('muted'), font: font(12) },
    border: { display: false },
    grid: { color: color('grid'), drawTicks: false },
    ticks: {
      color: color('muted'),
      font: font(11),
      padding: 6,
      maxRotation: 0,
      autoSkip: !axis.log,
      maxTicksLimit: 7,
      callback: value => format(axis, value),
    },
    ...(axis.log ? { afterBuildTicks: roundTicks } : {}),
  });

  /** Ticks of a logarithmic axis: powers of ten; if these are few, their halves and fifths too. */
  const roundTicks = scale => {
    const leading = value => Number((value / 10 ** Math.floor(Math.log10(value) + 1e-9)).toPrecision(3));
    const inside = scale.ticks.filter(({ value }) => value >= scale.min && value <= scale.max);
    const of = digits => inside.filter(({ value }) => digits.includes(leading(value)));
    scale.ticks = of([1]).length > 2 ? of([1]) : of([1, 2, 5]);
  };

  /** Names beside the bars; on a narrow screen above them. */
  const nameAxis = (names, weights, narrow, thickness) => ({
    border: { display: false },
    grid: { display: false },
    ticks: {
      autoSkip: false,
      crossAlign: narrow ? 'near' : 'far',
      mirror: narrow,
      labelOffset: narrow ? -(thickness / 2 + 10) : 0,
      padding: narrow ? 0 : 8,
      color: context => (weights[context.index] ? color('ink') : color('muted')),
      font: context => font(12, weights[context.index] ? 650 : 400, mono()),
    },
  });

  const common = (narrow, unitOf) => ({
    animation: false,
    responsive: true,
    maintainAspectRatio: false,
    devicePixelRatio: exporting ? 2 : undefined,
    plugins: {
      legend: {
        position: 'top',
        align: 'start',
        labels: {
          color: color('ink'),
          font: font(12),
          boxWidth: 10,
          boxHeight: 10,
          padding: narrow ? 8 : 12,
          usePointStyle: true,
        },
      },
      tooltip: {
        backgroundColor: color('ink'),
        titleColor: color('surface'),
        bodyColor: color('surface'),
        titleFont: font(12, 600, mono()),
        bodyFont: font(12),
        displayColors: false,
        padding: 10,
        callbacks: unitOf,
      },
    },
  });

  const heightOf = (rows, narrow, thickness) => rows * (thickness + (narrow ? 30 : 16));

  const BUILDERS = {
    bars(spec, narrow) {
      const thickness = 18;
      const widest = labelWidth(spec.bars.map(bar => bar.label + '    '));
      const options = common(narrow, {
        label: item => {
          const bar = spec.bars[item.dataIndex];
          const spread = finite(bar.min) ? ` (${format(spec.axis, bar.min)} to ${format(spec.axis, bar.max)})` : '';
          return format(spec.axis, bar.value) + spread;
        },
      });
      options.indexAxis = 'y';
      options.plugins.legend.display = false;
      options.layout = { padding: { right: widest, top: narrow ? 8 : 0 } };
      options.scales = {
        x: valueAxis(spec.axis),
        y: nameAxis(spec.bars, spec.bars.map(bar => bar.tone === 'BEST'), narrow, thickness),
      };
      // The axis ends where the longest bar or spread does, so that labels need no more room than they have.
      options.scales.x.suggestedMax = Math.max(...spec.bars.flatMap(bar => [bar.value, bar.max]).filter(finite), 0);
      return {
        height: heightOf(spec.bars.length, narrow, thickness) + 56,
        config: {
          type: 'bar',
          data: {
            labels: spec.bars.map(bar => bar.name),
            datasets: [
              {
                data: spec.bars.map(bar => (finite(bar.value) ? bar.value : 0)),
                backgroundColor: spec.bars.map(bar => color(TONES[bar.tone])),
                barThickness: thickness,
                borderRadius: 3,
              },
            ],
          },
          options,
          plugins: [marks(spec)],
        },
      };
    },

    stacked(spec, narrow) {
      const thickness = 20;
      const totals = spec.rows.map((_, i) =>
        spec.parts.reduce((sum, part) => sum + (finite(part.values[i]) ? part.values[i] : 0), 0),
      );
      const labels = totals.map(total => (total > 0 ? format(spec.axis, total) : 'not measured'));
      const options = common(narrow, {
        label: item => (finite(item.raw) ? `${item.dataset.label}: ${format(spec.axis, item.raw)}` : null),
      });
      options.indexAxis = 'y';
      options.interaction = { mode: 'index', axis: 'y', intersect: false };
      options.layout = { padding: { right: labelWidth(labels) + 12, top: narrow ? 8 : 0 } };
      options.scales = {
        x: { ...valueAxis(spec.axis), stacked: true, suggestedMax: Math.max(...totals, 0) },
        y: { ...nameAxis(spec.rows, spec.rows.map(() => true), narrow, thickness), stacked: true },
      };
      options.scales.y.ticks.font = () => font(12, 400, mono());
      options.plugins.legend.labels.pointStyle = 'rectRounded';
      const ends = {
        id: 'ends',
        afterDatasetsDraw(chart) {
          const { ctx, scales } = chart;
          ctx.save();
          ctx.textBaseline = 'middle';
          ctx.font = `500 12px ${sans()}`;
          totals.forEach((total, i) => {
            ctx.fillStyle = total > 0 ? color('ink') : color('muted');
            ctx.fillText(labels[i], scales.x.getPixelForValue(total) + 8, chart.getDatasetMeta(0).data[i].y);
          });
          ctx.restore();
        },
      };
      return {
        height: heightOf(spec.rows.length, narrow, thickness) + (narrow ? 130 : 90),
        config: {
          type: 'bar',
          data: {
            labels: spec.rows,
            datasets: spec.parts.map(part => ({
              label: part.name,
              data: part.values,
              backgroundColor: color('c' + part.color),
              barThickness: thickness,
              borderWidth: { right: 1 },
              borderColor: color('surface'),
              borderSkipped: false,
            })),
          },
          options,
          plugins: [ends],
        },
      };
    },

    lines(spec, narrow) {
      let own = 0;
      const datasets = spec.series.map(series => {
        if (series.tone === 'DOT') {
          const hue = faded(color('l' + ((own + 7) % 8)), 0.4);
          return {
            label: series.name,
            legend: false,
            data: series.points,
            borderColor: hue,
            backgroundColor: hue,
            pointRadius: 2,
            pointHoverRadius: 4,
            order: 3,
          };
        }
        const background = series.tone !== 'OWN';
        const hue = background ? color(series.tone === 'MAIN' ? 'published-main' : 'published') : color('l' + (own % 8));
        const faint = series.tone === 'BACKGROUND';
        const dataset = {
          label: series.name,
          legend: series.legend,
          data: series.points.map(point => ({ x: point.x, y: point.y, low: point.min, high: point.max })),
          showLine: true,
          borderColor: faint ? faded(hue, 0.55) : hue,
          backgroundColor: hue,
          pointBackgroundColor: faint ? faded(hue, 0.55) : hue,
          borderWidth: background ? (faint ? 1 : 1.8) : 2.2,
          borderDash: background ? [5, 4] : [],
          pointRadius: background ? (faint ? 0 : 3) : 5,
          pointHoverRadius: 6,
          pointHitRadius: 8,
          pointStyle: background ? 'circle' : POINTS[own % POINTS.length],
          legendStyle: background ? 'line' : POINTS[own % POINTS.length],
          order: background ? (faint ? 3 : 2) : 1,
        };
        own += background ? 0 : 1;
        return dataset;
      });
      const options = common(narrow, {
        title: items => (items.length ? items[0].dataset.label : ''),
        label: item => `${format(spec.x, item.parsed.x)}: ${format(spec.y, item.parsed.y)}`,
      });
      options.scales = { x: valueAxis(spec.x), y: valueAxis(spec.y) };
      widen(options.scales.x, spec.x, spec.series.flatMap(s => s.points.map(p => p.x)));
      widen(options.scales.y, spec.y, spec.series.flatMap(s => s.points.map(p => p.y)));
      options.plugins.legend.labels.generateLabels = chart =>
        Chart.defaults.plugins.legend.labels.generateLabels(chart).map(item => {
          const dataset = datasets[item.datasetIndex];
          const line = dataset.legendStyle === 'line';
          return { ...item, pointStyle: dataset.legendStyle, strokeStyle: dataset.borderColor, lineDash: [3, 2], lineWidth: line ? 2 : 0 };
        });
      options.plugins.legend.labels.filter = item => datasets[item.datasetIndex].legend;
      options.plugins.legend.onClick = (event, item, legend) => toggle(legend.chart, item, datasets);
      const spread = {
        id: 'spread',
        beforeDatasetsDraw(chart) {
          chart.data.datasets.forEach((dataset, i) => {
            if (!chart.isDatasetVisible(i)) return;
            for (const point of dataset.data) {
              if (finite(point.low) && finite(point.high)) {
                const { x, y } = chart.scales;
                upright(
                  chart.ctx, x.getPixelForValue(point.x), y.getPixelForValue(point.low),
                  y.getPixelForValue(point.high), dataset.borderColor,
                );
              }
            }
          });
        },
      };
      return { height: narrow ? 400 : 430, config: { type: 'scatter', data: { datasets }, options, plugins: [spread] } };
    },

    dots(spec, narrow) {
      const thickness = 14 + 8 * spec.series.length;
      const datasets = spec.series.map((series, s) => ({
        label: series.name,
        data: series.values
          .map((value, row) => ({
            x: value.value, low: value.min, high: value.max,
            y: row + (s - (spec.series.length - 1) / 2) * (narrow ? 0.13 : 0.2),
          }))
          .filter(point => finite(point.x)),
        backgroundColor: color('l' + ((s + 1) % 8)),
        borderColor: color('l' + ((s + 1) % 8)),
        pointStyle: POINTS[s % POINTS.length],
        pointRadius: 6,
        pointHoverRadius: 7,
      }));
      const options = common(narrow, {
        title: items => (items.length ? spec.rows[Math.round(items[0].parsed.y)] : ''),
        label: item => `${item.dataset.label}: ${format(spec.axis, item.parsed.x)}`,
      });
      const names = nameAxis(spec.rows, spec.rows.map(() => false), narrow, thickness);
      options.scales = {
        x: valueAxis(spec.axis),
        y: {
          ...names,
          type: 'linear',
          reverse: true,
          min: -0.5,
          max: spec.rows.length - 0.5,
          afterBuildTicks: axis => {
            axis.ticks = spec.rows.map((_, row) => ({ value: row }));
          },
          grid: { display: true, drawTicks: false, color: color('grid') },
        },
      };
      options.scales.y.ticks = { ...names.ticks, callback: value => spec.rows[value], color: color('ink') };
      widen(options.scales.x, spec.axis, datasets.flatMap(d => d.data.flatMap(p => [p.x, p.low, p.high])).filter(finite));
      const spread = {
        id: 'spread',
        beforeDatasetsDraw(chart) {
          for (const dataset of chart.data.datasets) {
            for (const point of dataset.data) {
              if (finite(point.low) && finite(point.high)) {
                const { x, y } = chart.scales;
                whisker(
                  chart.ctx, x.getPixelForValue(point.low), x.getPixelForValue(point.high),
                  y.getPixelForValue(point.y), dataset.borderColor,
                );
              }
            }
          }
        },
      };
      return {
        height: spec.rows.length * (thickness + (narrow ? 34 : 18)) + 96,
        config: { type: 'scatter', data: { datasets }, options, plugins: [spread] },
      };
    },

    trend(spec, narrow) {
      const last = spec.runs.length - 1;
      const values = [...spec.runs.flatMap(run => [run.value, ...run.points]), ...spec.levels.map(level => level.value)].filter(finite);
      const [least, most] = values.length ? [Math.min(...values), Math.max(...values)] : [0, 1];
      // Noise of a few per cent must not fill the chart.
      const room = Math.max(0.2 * most - (most - least), 0.1 * (most - least)) / 2;
      const options = common(narrow, {
        title: items => (items.length ? spec.runs[items[0].parsed.x].detail : ''),
        label: item => `${item.dataset.label}: ${format(spec.axis, item.parsed.y)}`,
      });
      options.plugins.legend.display = false;
      options.layout = { padding: { top: spec.levels.length > 1 ? 34 : 8 } };
      options.scales = {
        x: {
          type: 'linear',
          min: -0.5,
          max: last + 0.5,
          border: { display: false },
          grid: { display: false },
          afterBuildTicks: axis => {
            const every = Math.max(1, Math.ceil((spec.runs.length * 76) / Math.max(150, axis.chart.width - 70)));
            const changes = spec.levels.slice(1).map(level => level.from);
            const isFree = run => (last - run) % every === 0 && changes.every(change => Math.abs(change - run) >= every);
            axis.ticks = spec.runs.map((_, value) => ({ value })).filter(({ value }) => changes.includes(value) || isFree(value));
          },
          ticks: {
            autoSkip: false,
            color: color('muted'),
            font: font(11, 400, mono()),
            maxRotation: 0,
            callback: value => spec.runs[value].name,
          },
        },
        y: { ...valueAxis(spec.axis), beginAtZero: false, min: Math.max(0, least - room), max: most + room },
      };
      options.scales.y.ticks.includeBounds = false;
      const datasets = [
        {
          label: 'median',
          data: spec.runs.map((run, x) => ({ x, y: finite(run.value) ? run.value : NaN })),
          showLine: true,
          borderColor: color('l1'),
          backgroundColor: color('l1'),
          borderWidth: 1.8,
          pointRadius: spec.runs.length > 60 ? 0 : 3,
          pointHitRadius: 8,
          order: 1,
        },
        {
          label: 'start',
          data: spec.runs.flatMap((run, x) => (run.points.length > 1 ? run.points.map(y => ({ x, y })) : [])),
          backgroundColor: faded(color('l1'), 0.45),
          borderColor: faded(color('l1'), 0),
          pointRadius: 2.2,
          order: 2,
        },
      ];
      const levels = {
        id: 'levels',
        beforeDatasetsDraw(chart) {
          const { ctx, chartArea, scales } = chart;
          ctx.save();
          ctx.lineWidth = 1.4;
          ctx.font = `650 12px ${sans()}`;
          ctx.textBaseline = 'alphabetic';
          spec.levels.forEach((level, i) => {
            const y = scales.y.getPixelForValue(level.value);
            const start = scales.x.getPixelForValue(level.from - 0.5);
            ctx.strokeStyle = color('base');
            ctx.setLineDash([5, 4]);
            line(ctx, start, y, scales.x.getPixelForValue(level.to + 0.5), y);
            if (i === 0) return;
            ctx.strokeStyle = ctx.fillStyle = color(level.tone === 'BAD' ? 'bad' : 'good');
            ctx.setLineDash([]);
            line(ctx, start, chartArea.top - 4, start, chartArea.bottom);
            // Labels of neighbours stand in two rows, inside the chart.
            const half = ctx.measureText(level.change).width / 2;
            ctx.textAlign = 'center';
            ctx.fillText(
              level.change, Math.min(Math.max(start, half + 2), chart.width - half - 2), chartArea.top - (i % 2 ? 8 : 22),
            );
          });
          ctx.restore();
        },
      };
      return { height: 250, config: { type: 'scatter', data: { datasets }, options, plugins: [levels] } };
    },
  };

  const line = (ctx, x, y, toX, toY) => {
    ctx.beginPath();
    ctx.moveTo(x, y);
    ctx.lineTo(toX, toY);
    ctx.stroke();
  };

  /** A logarithmic axis somewhat beyond what is drawn. */
  const widen = (scale, axis, values) => {
    if (!axis.log || !values.length) return;
    const [least, most] = [Math.min(...values), Math.max(...values)];
    const margin = Math.max(1.15, (most / least) ** 0.06);
    scale.min = least / margin;
    scale.max = most * margin;
  };

  /** Shows or hides all lines of an entry in the legend. */
  const toggle = (chart, item, datasets) => {
    const show = !chart.isDatasetVisible(item.datasetIndex);
    let last = item.datasetIndex;
    while (last + 1 < datasets.length && !datasets[last + 1].legend) last++;
    for (let i = item.datasetIndex; i <= last; i++) chart.setDatasetVisibility(i, show);
    chart.update();
  };

  const drawn = figure => ({
    id: 'drawn',
    afterDraw(chart) {
      const elements = chart.data.datasets.flatMap((_, i) => chart.getDatasetMeta(i).data);
      figure.dataset.drawn = elements.filter(e => Number.isFinite(e.x) && Number.isFinite(e.y)).length;
    },
  });

  const charts = new Map();

  const draw = figure => {
    const plot = figure.querySelector('.plot');
    const spec = JSON.parse(figure.querySelector('script').textContent);
    const narrow = plot.clientWidth < NARROW;
    const { height, config } = BUILDERS[spec.kind](spec, narrow);
    charts.get(figure)?.chart.destroy();
    plot.style.height = height + 'px';
    config.plugins.push(drawn(figure));
    charts.set(figure, { narrow, chart: new Chart(plot.querySelector('canvas'), config) });
  };

  const figures = () => document.querySelectorAll('figure[data-chart]');
  const redraw = () => figures().forEach(draw);

  /** The chart with its title and note, as an image by itself. */
  const image = figure => {
    const source = figure.querySelector('canvas');
    const ratio = charts.get(figure).chart.currentDevicePixelRatio;
    const title = figure.querySelector('h3').textContent;
    const note = figure.querySelector('figcaption')?.textContent || '';
    const canvas = document.createElement('canvas');
    const ctx = canvas.getContext('2d');
    const width = source.width / ratio + 40;
    ctx.font = `400 12px ${sans()}`;
    const lines = wrapped(ctx, note, width - 40);
    canvas.width = width * ratio;
    canvas.height = (source.height / ratio + 64 + lines.length * 17) * ratio;
    ctx.scale(ratio, ratio);
    ctx.fillStyle = color('surface');
    ctx.fillRect(0, 0, canvas.width, canvas.height);
    ctx.fillStyle = color('ink');
    ctx.font = `600 15px ${sans()}`;
    ctx.fillText(title, 20, 30);
    ctx.drawImage(source, 20, 46, source.width / ratio, source.height / ratio);
    ctx.fillStyle = color('muted');
    ctx.font = `400 12px ${sans()}`;
    lines.forEach((line, i) => ctx.fillText(line, 20, source.height / ratio + 62 + i * 17));
    return canvas.toDataURL('image/png');
  };

  const wrapped = (ctx, text, width) => {
    const lines = [];
    let line = '';
    for (const word of text.split(/\s+/).filter(Boolean)) {
      const longer = line ? line + ' ' + word : word;
      if (line && ctx.measureText(longer).width > width) {
        lines.push(line);
        line = word;
      } else {
        line = longer;
      }
    }
    return line ? [...lines, line] : lines;
  };

  // Tables -------------------------------------------------------------------------------------------------------

  const valueOf = cell => cell.dataset.v ?? cell.textContent.trim();

  const sort = (table, column, head) => {
    const descending = head.getAttribute('aria-sort') === 'ascending';
    table.querySelectorAll('th').forEach(th => th.removeAttribute('aria-sort'));
    head.setAttribute('aria-sort', descending ? 'descending' : 'ascending');
    const body = table.tBodies[0];
    const numeric = head.classList.contains('n');
    const compare = (a, b) => {
      const [one, other] = [a, b].map(row => row.cells[column]);
      // Missing values stay last, in both orders.
      const none = one.classList.contains('none') - other.classList.contains('none');
      if (none) return none;
      const order = numeric
        ? Number(valueOf(one)) - Number(valueOf(other))
        : valueOf(one).localeCompare(valueOf(other), 'en', { numeric: true });
      return descending ? -order : order;
    };
    [...body.rows].sort(compare).forEach(row => body.append(row));
  };

  const asText = (table, separator) => {
    const quoted = text => (separator === ',' && /[",\n]/.test(text) ? '"' + text.replaceAll('"', '""') + '"' : text);
    const cellText = cell => (cell.classList.contains('none') ? '' : (cell.dataset.h ?? valueOf(cell)).replace(/\s+/g, ' '));
    return [...table.rows].map(row => [...row.cells].map(cell => quoted(cellText(cell))).join(separator)).join('\n') + '\n';
  };

  const copy = async (button, text) => {
    const label = button.textContent;
    try {
      await navigator.clipboard.writeText(text);
      button.textContent = 'Copied';
    } catch (e) {
      button.textContent = copyByHand(text) ? 'Copied' : 'Not copied';
    }
    setTimeout(() => {
      button.textContent = label;
    }, 1500);
  };

  /** For browsers that deny files access to the clipboard. */
  const copyByHand = text => {
    const area = document.createElement('textarea');
    area.value = text;
    document.body.append(area);
    area.select();
    const copied = document.execCommand('copy');
    area.remove();
    return copied;
  };

  // The page -----------------------------------------------------------------------------------------------------

  document.querySelectorAll('table').forEach(table => {
    [...table.tHead.rows[0].cells].forEach((head, column) => {
      head.querySelector('button').addEventListener('click', () => sort(table, column, head));
    });
  });
  document.querySelectorAll('button[data-copy]').forEach(button => {
    const table = button.closest('.card').querySelector('table');
    button.addEventListener('click', () => copy(button, asText(table, button.dataset.copy === 'csv' ? ',' : '\t')));
  });
  document.querySelectorAll('button[data-png]').forEach(button => {
    button.addEventListener('click', () => {
      const figure = button.closest('figure');
      const link = document.createElement('a');
      link.href = image(figure);
      link.download = figure.dataset.chart + '.png';
      link.click();
    });
  });
  document.querySelector('.theme').addEventListener('click', () => root.dispatchEvent(new Event('drayage-toggle')));

  if (exporting) {
    root.dataset.theme = 'light';
    figures().forEach(figure => {
      figure.querySelector('.plot').style.width = EXPORT_WIDTH + 'px';
    });
  }
  redraw();
  root.addEventListener('drayage-theme', redraw);
  addEventListener('beforeprint', redraw);
  // Draws a chart again if its names move above its bars, or back; other charts resize themselves.
  addEventListener('resize', () => {
    charts.forEach(({ narrow }, figure) => {
      if (narrow !== figure.querySelector('.plot').clientWidth < NARROW) draw(figure);
    });
  });
  document.querySelectorAll('details').forEach(details => {
    details.addEventListener('toggle', () => details.querySelectorAll('figure[data-chart]').forEach(draw));
  });
  if (exporting) {
    const images = document.createElement('script');
    images.type = 'application/json';
    images.id = 'drayage-png';
    images.textContent = JSON.stringify([...figures()].map(figure => ({ name: figure.dataset.chart, url: image(figure) })));
    document.body.append(images);
  }
  root.dataset.width = innerWidth;
  root.dataset.overflow = Math.max(0, root.scrollWidth - root.clientWidth);
})();
