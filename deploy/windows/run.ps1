# Runs one of the project's commands with the settings of the service, as Administrator: run.ps1 doctor, run.ps1 import C:\centers.csv.
# Not run: there was neither Windows nor PowerShell to try it.
[CmdletBinding(PositionalBinding = $false)]
param(
  [Parameter(Mandatory, Position = 0)][string]$Command,
  [string]$Program = 'C:\Program Files\TPWebServices',
  [string]$Data = 'C:\ProgramData\TPWebServices',
  [Parameter(ValueFromRemainingArguments)][string[]]$Arguments
)
$ErrorActionPreference = 'Stop'

[xml]$definition = Get-Content -Raw "$Data\service\tpwebservices.xml"
foreach ($setting in $definition.SelectNodes('/service/env')) {
  Set-Item -Path "Env:$($setting.GetAttribute('name'))" -Value $setting.GetAttribute('value')
}
$node = $definition.SelectSingleNode('/service/executable').InnerText
Push-Location $Data
# Windows PowerShell 5.1 takes the first line on standard error for an error of its own when the output goes to a file.
$ErrorActionPreference = 'Continue'
try {
  & $node "$Program\scripts\run.js" $Command @Arguments
} finally {
  Pop-Location
}
exit $LASTEXITCODE
